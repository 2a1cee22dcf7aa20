import { displayPath } from '../../../../core/disk/paths.ts';
import { count, oneLine, printable } from '../../../../core/text/text.ts';
import { syncBack as operation, type SyncBackOutput } from '../../../../engine/operations/getting/sync-back.ts';
import { defineCommand } from '../../command.ts';

export const syncBack = defineCommand({
  operation,
  spelling: {
    name: { positional: true, value: 'NAME' },
    out: { value: 'FILE', completes: 'path' },
    project: { short: 'p' },
    global: { short: 'g' },
  },
  about:
    'Makes a patch of what you have changed in an installed skill, for the repository that it came from: git apply takes ' +
    'it there. Prints it, or writes it to a file.',
  examples: [
    { run: 'repertoire sync-back pdf', what: 'see it' },
    { run: 'repertoire sync-back pdf --out pdf.patch', what: 'then, in the repository: git apply pdf.patch' },
  ],
  print({ name, files, patch, out }: SyncBackOutput, { terminal, engine }) {
    if (patch === '') terminal.write(`${oneLine(name)} is as it was installed.\n`);
    else if (out === null) terminal.write(terminal.isInteractive ? printable(patch) : patch);
    else terminal.write(`${count(files.length, 'changed file')} in ${oneLine(displayPath(out, engine.environment))}\n`);
  },
});
