import { dirname, relative, sep } from 'node:path';
import { type Infer, object, text } from '../../core/schema/schema.ts';
import { distinctName } from '../../registry/resolve.ts';
import type { Snapshot } from '../../registry/snapshot.ts';

/** The skill that a file belongs to. */
export const ownerSchema = object({
  file: text(),
  skill: text('The name that loads exactly this skill.'),
  path: text('Of the file, from the folder of the skill, with `/`.'),
});
export type Owner = Infer<typeof ownerSchema>;

/** Returns a function that tells which skill a file belongs to: that of the nearest folder above it. */
export function owners(snapshot: Snapshot): (file: string) => Owner | null {
  const byFolder = new Map(snapshot.skills.map((skill) => [dirname(skill.file), skill]));
  return (file) => {
    for (let folder = dirname(file); ; folder = dirname(folder)) {
      const skill = byFolder.get(folder);
      if (skill !== undefined) {
        const path = file === skill.file ? 'SKILL.md' : relative(folder, file).split(sep).join('/');
        return { file, skill: distinctName(snapshot, skill), path };
      }
      if (dirname(folder) === folder) return null;
    }
  };
}
