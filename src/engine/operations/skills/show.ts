import { basename } from 'node:path';
import { text } from '../../../core/schema/schema.ts';
import { filesOf, type SkillFile } from '../../../skill/files.ts';
import { headerOf, shownText } from '../../loading/header.ts';
import { loadSkill } from '../../loading/load.ts';
import { defineOperation } from '../../operation.ts';
import { recordOf, type SkillRecord } from './list.ts';

export interface ShowOutput {
  readonly skill: SkillRecord;
  readonly header: string;
  /** SKILL.md as text. */
  readonly content: string;
  readonly files: readonly SkillFile[];
  /** Links in the skill that lead out of it, or to nothing; they are never followed. */
  readonly refused: readonly string[];
}

export const show = defineOperation({
  name: 'show',
  effect: 'reads',
  input: { name: text('The skill: its name, plugin:skill, provider:name, or a skill:// address.') },
  skillIn: ({ name }) => name,
  notes: ({ name }, output?: ShowOutput) => ({ what: 'loaded', skill: output?.skill.fullName ?? name }),
  async run(engine, { name }, request): Promise<ShowOutput> {
    const { snapshot, skill, bytes } = await loadSkill(engine, name, request);
    const files = filesOf(skill.id, basename(skill.file));
    const content = bytes.toString('utf8');
    return {
      skill: recordOf(skill, snapshot),
      header: headerOf(skill, files, 'full', shownText(content).remarks),
      content,
      files: files.files,
      refused: files.refused,
    };
  },
});
