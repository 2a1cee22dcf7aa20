import { addFile, changedMeanwhile, replaceFile } from '../../../core/disk/replace.ts';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import { flag, type Infer, object, optional, text } from '../../../core/schema/schema.ts';
import { oneLine } from '../../../core/text/text.ts';
import { chosenFields, chosenToEdit, type EditedSkill } from '../../browsing/chosen.ts';
import { obstacleTo, placeForNew, readText, sourceOfInstalled, textDigest } from '../../browsing/editing.ts';
import type { Engine } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';

const output = object({ path: text(), digest: text('Of the file as it is now.') });
export type EditOutput = Infer<typeof output>;

/** Longest text that is written, in characters. */
const longest = 1024 * 1024;

/** Replaces a text file of a skill, or adds one, in one step: somebody else's change in the meantime is never lost. */
export const edit = defineOperation({
  name: 'edit',
  effect: 'acts',
  input: {
    ...chosenFields,
    path: text("The file, by its path from the skill's folder."),
    content: text('The new text, all of it.'),
    digest: optional(text('Of the file as it was read; without it the file must be new.')),
    installed: flag('Change it although it was installed from a source.', { default: false }),
  },
  changes: ({ name, path }) => ({ skills: [name], parameters: { path } }),
  notes: ({ name, path }) => ({ what: 'edited', skill: name, detail: path }),
  output,
  async run(engine, { path, content, digest, installed, ...chosen }): Promise<EditOutput> {
    const skill = chosenToEdit(await engine.registry.snapshot(), chosen, path);
    refuseOthers(skill, engine, installed);
    if (content.length > longest || !content.isWellFormed()) {
      throw new SkillError('usage', 'the text is too long, or not valid Unicode');
    }
    const current = readText(skill, path);
    if (current?.digest !== digest) throw conflict(path);
    const reason =
      current === null ? added(placeForNew(skill, path), content) : replaceFile(current.real, content, current.stats);
    if (reason === changedMeanwhile) throw conflict(path);
    if (reason !== null) throw new SkillError('unwritable', `${oneLine(path)} cannot be written (${reason})`);
    return { path, digest: textDigest(content) };
  },
});

/** Refuses what is not the user's own, and what was installed unless the caller says that this is known. */
function refuseOthers(skill: EditedSkill, engine: Engine, isKnown: boolean): void {
  const obstacle = obstacleTo(skill);
  if (obstacle !== null) {
    const hint = 'Copy the skill to a folder of your own, and change the copy.';
    throw new SkillError('denied', `'${oneLine(skill.fullName)}' is not edited here: ${obstacle}`, { hint });
  }
  const source = isKnown ? null : sourceOfInstalled(skill, engine);
  if (source === null) return;
  const hint = 'Confirm that you want to change it; an update will merge the change.';
  throw new SkillError('denied', `'${oneLine(skill.fullName)}' was installed from ${oneLine(source)}`, { hint });
}

function added(path: string, content: string): string | null {
  try {
    addFile(path, content, 0o644);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

function conflict(path: string): SkillError {
  const hint = 'Compare the two, and decide which lines to keep.';
  return new SkillError('conflict', `${oneLine(path)} was changed in the meantime`, { hint });
}
