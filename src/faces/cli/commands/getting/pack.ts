import { displayPath } from '../../../../core/disk/paths.ts';
import { count, oneLine } from '../../../../core/text/text.ts';
import { pack as operation, type PackOutput } from '../../../../engine/operations/getting/pack.ts';
import { defineCommand } from '../../command.ts';

export const pack = defineCommand({
  operation,
  spelling: {
    skill: { positional: true, value: 'SKILL', completes: 'skill' },
    out: { value: 'FILE', completes: 'path' },
  },
  about:
    'Packs a skill into one file that others can add: a .skill file, as Claude takes it, or a .zip with SKILL.md at its ' +
    'root. The same files always make the same archive. Nothing is overwritten, and what the scan blocks is not packed.',
  examples: [
    { run: 'repertoire pack pdf', what: './pdf.skill' },
    { run: 'repertoire pack ./skills/pdf --out pdf.zip', what: 'of a folder' },
  ],
  print({ file, name, files, sha256, dryRun }: PackOutput, { engine }) {
    const place = oneLine(displayPath(file, engine.environment));
    const done = dryRun ? 'Would pack' : 'Packed';
    return [`${done} ${oneLine(name)}, ${count(files, 'file')}, into ${place}`, `sha256:${sha256}`];
  },
});
