import { basename } from 'node:path';
import { text } from '../../../core/schema/schema.ts';
import { requireSkill } from '../../../registry/resolve.ts';
import { filesOf, type SkillFile } from '../../../skill/files.ts';
import { headerOf, shownText } from '../../loading/header.ts';
import { loadSkill } from '../../loading/load.ts';
import { defineOperation } from '../../operation.ts';
import { recordOf, type SkillRecord } from './list.ts';

interface ShowOutput {
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

/** Resolves the skill that a name means. */
export const resolve = defineOperation({
  name: 'resolve',
  effect: 'reads',
  input: { name: text('The name, as an agent would ask for it.') },
  skillIn: ({ name }) => name,
  async run({ registry }, { name }): Promise<SkillRecord> {
    const snapshot = await registry.snapshot();
    return recordOf(requireSkill(snapshot, name), snapshot);
  },
});

interface SourceOutput {
  readonly skill: SkillRecord;
  readonly bytes: Buffer;
}

/** Reads SKILL.md as it is on disk now, byte for byte. */
export const source = defineOperation({
  name: 'source',
  effect: 'reads',
  input: { name: text('The skill, by any name that it can be loaded by.') },
  skillIn: ({ name }) => name,
  notes: ({ name }, output?: SourceOutput) => ({ what: 'loaded', skill: output?.skill.fullName ?? name }),
  async run(engine, { name }, request): Promise<SourceOutput> {
    const { skill, bytes, snapshot } = await loadSkill(engine, name, request);
    return { skill: recordOf(skill, snapshot), bytes };
  },
});
