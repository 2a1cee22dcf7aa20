import { basename } from 'node:path';
import { filesOf, type SkillFile } from '../../skill/files.ts';
import { headerOf } from '../header.ts';
import { loadSkill } from '../load.ts';
import { defineOperation } from '../operation.ts';
import { shownText } from '../shown-text.ts';
import { recordOf, type SkillRecord } from './list.ts';

export interface ShowOutput {
  readonly skill: SkillRecord;
  readonly header: string;
  /** SKILL.md as text. */
  readonly content: string;
  readonly files: readonly SkillFile[];
  /** Links in the skill that lead out of it, or to nothing; they are never read. */
  readonly refused: readonly string[];
}

/** The exact bytes behind `content`, for those who need them: text may not be able to carry them. */
export const rawBytes = new WeakMap<ShowOutput, Buffer>();

export const show = defineOperation({
  fields: {
    name: {
      kind: 'text',
      positional: true,
      required: true,
      value: 'NAME',
      description: 'The skill: its name, plugin:skill, provider:name, or a skill:// address.',
      completes: 'skill',
    },
  },
  async run(engine, { name }): Promise<ShowOutput> {
    const { snapshot, skill, bytes } = await loadSkill(engine, name);
    const files = filesOf(skill.id, basename(skill.file));
    const content = bytes.toString('utf8');
    const output = {
      skill: recordOf(skill, snapshot),
      header: headerOf(skill, files, 'full', shownText(content).remarks),
      content,
      files: files.files,
      refused: files.refused,
    };
    rawBytes.set(output, bytes);
    return output;
  },
});
