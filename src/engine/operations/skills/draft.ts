import { diagnosticSchema } from '../../../core/diagnostics.ts';
import { SkillError } from '../../../core/errors.ts';
import { type Infer, list, nullable, object, optional, text } from '../../../core/schema/schema.ts';
import { oneLine } from '../../../core/text/text.ts';
import { fixSkill } from '../../../skill/fix.ts';
import { chosenFields, chosenToEdit } from '../../browsing/chosen.ts';
import { checkText, mainFile, obstacleTo, readText, sourceOfInstalled } from '../../browsing/editing.ts';
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
