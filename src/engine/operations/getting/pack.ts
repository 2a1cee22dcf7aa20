import { resolve } from 'node:path';
import { addFile } from '../../../core/disk/replace.ts';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/hash.ts';
import { count, flag, type Infer, object, optional, text } from '../../../core/schema/schema.ts';
import { archiveOf } from '../../../get/install/archive.ts';
import { folderNameOf } from '../../../get/install/places.ts';
import { ownSkill } from '../../getting/own-skill.ts';
import { defineOperation } from '../../operation.ts';

const output = object({
  name: text(),
  file: text(),
  bytes: count(),
  files: count(),
  digest: text('Of all files of the skill.'),
  sha256: text('Of the archive.'),
  dryRun: flag(),
});
export type PackOutput = Infer<typeof output>;

export const pack = defineOperation({
  name: 'pack',
  effect: 'acts',
  input: {
    skill: text('The skill: its name, or the path of its folder.'),
    out: optional(text('The file to write (./NAME.skill). One that ends in .zip has SKILL.md at its root.')),
    dryRun: flag('Show what would be done, and do nothing.', { default: false }),
  },
  output,
  async run(engine, { skill, out, dryRun }): Promise<PackOutput> {
    const { name, kept } = await ownSkill(engine, skill);
    const folder = folderNameOf(name);
    const file = resolve(engine.environment.cwd, out ?? `${folder}.skill`);
    const bytes = archiveOf(kept, file.endsWith('.zip') ? '' : folder);
    if (!dryRun) write(file, bytes);
    const files = Object.keys(kept.files).length;
    return { name, file, bytes: bytes.length, files, digest: kept.digest, sha256: sha256(bytes), dryRun };
  },
});

/** Writes a new file: nothing is overwritten. */
function write(file: string, bytes: Buffer): void {
  try {
    addFile(file, bytes, 0o644);
  } catch (error) {
    const message = `${file} cannot be written (${reasonOf(error)})`;
    throw new SkillError('unwritable', message, { hint: 'Name another file with --out, or remove this one.' });
  }
}
