import { diagnosticSchema } from '../../../core/diagnostics.ts';
import { addFile, changedMeanwhile, replaceFile } from '../../../core/disk/replace.ts';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import { flag, type Infer, list, nullable, object, optional, text } from '../../../core/schema/schema.ts';
import { oneLine } from '../../../core/text/text.ts';
import { fixSkill } from '../../../skill/fix.ts';
import { chosenFields, chosenToEdit, type EditedSkill } from '../../browsing/chosen.ts';
import {
  checkText,
  mainFile,
  obstacleTo,
  placeForNew,
  readText,
  sourceOfInstalled,
  textDigest,
} from '../../browsing/editing.ts';
import type { Engine } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';

const output = object({
  path: text(),
  content: nullable(text(), 'The file as it is on disk; null where there is none yet.'),
  digest: nullable(text(), 'Of the file on disk, to be handed back with a change.'),
  findings: list(diagnosticSchema, 'What is wrong with the draft; without one, with the file.'),
  fix: nullable(
    object({ content: text(), changes: list(text(), 'Each in words, with its line.') }),
    'The text with everything fixed that can be without changing what it says.',
  ),
  obstacle: nullable(text(), 'Why the file cannot be changed here.'),
  installed: nullable(text(), 'The source that the skill was installed from: an update would meet the change.'),
});
export type DraftOutput = Infer<typeof output>;

/** Checks a text file of a skill, as it is or as somebody would have it. Nothing is written. */
export const draft = defineOperation({
  name: 'draft',
  effect: 'reads',
  input: {
    ...chosenFields,
    path: text("The file, by its path from the skill's folder.", { default: mainFile }),
    content: optional(text('The text to be checked in its place.')),
  },
  output,
  async run(engine, { path, content, ...chosen }): Promise<DraftOutput> {
    const skill = chosenToEdit(await engine.registry.snapshot(), chosen, path);
    const current = readText(skill, path);
    const checked = content ?? current?.content;
    if (checked === undefined) throw new SkillError('not-found', `there is no file ${oneLine(path)} in this skill`);
    const fix = path === mainFile ? fixSkill(checked) : null;
    return {
      path,
      content: current?.content ?? null,
      digest: current?.digest ?? null,
      findings: await checkText(skill, path, checked, engine),
      fix:
        fix === null || fix.fixed.length === 0
          ? null
          : { content: fix.text, changes: fix.fixed.map(({ line, message }) => `line ${line}: ${message}`) },
      obstacle: obstacleTo(skill),
      installed: sourceOfInstalled(skill, engine),
    };
  },
});

const editOutput = object({ path: text(), digest: text('Of the file as it is now.') });
export type EditOutput = Infer<typeof editOutput>;

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
  output: editOutput,
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
