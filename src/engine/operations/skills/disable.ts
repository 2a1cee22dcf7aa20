import { flag, type Infer, list, object, text } from '../../../core/schema/schema.ts';
import { excludesFor } from '../../agents/native.ts';
import { agentIds, disabledKey, loadedBy, meantBy } from '../../disabling.ts';
import { defineOperation } from '../../operation.ts';
import { openSettings } from '../../settings-file.ts';

const output = object({
  file: text('The file that says so.'),
  disabled: list(text(), 'The skills that are disabled now, as the file has them.'),
  added: list(text(), 'Those that were not before.'),
  files: list(text(), 'The SKILL.md files that are put aside by this.'),
  loadedBy: list(text(), 'Agents that load some of them by themselves, as nobody can keep them from doing.'),
  setUp: list(text(), 'Agents whose entry must be written again, so that their server knows whom it serves.'),
});
export type DisableOutput = Infer<typeof output>;

/** Disables skills: they stay where they are, and nobody loads or runs them. */
export const disable = defineOperation({
  name: 'disable',
  effect: 'acts',
  input: {
    skills: list(text(), 'Skills by name, which means every copy, or by folder, which means that one.'),
    agent: list(text(), 'Only for this agent, such as codex; repeatable.', { default: [] }),
    project: flag("Write it to the project's repertoire.toml instead of your own file.", { default: false }),
  },
  changes: ({ skills, agent }) => ({ skills, parameters: { agent } }),
  notes: ({ skills }) => ({ what: 'changed', detail: `disabled ${skills.join(', ')}` }),
  output,
  async run(engine, { skills: typed, agent: names, project }): Promise<DisableOutput> {
    const snapshot = await engine.registry.snapshot();
    const agents = agentIds(names);
    const meant = typed.map((one) => meantBy(one, snapshot, engine));
    const file = openSettings(engine, project ? 'project' : 'user');
    const before = file.list(disabledKey);
    const entries = meant.flatMap(({ entry }) =>
      agents.length === 0 ? [entry] : agents.map((id) => `${id}=${entry}`),
    );
    const added = [...new Set(entries)].filter((entry) => !before.includes(entry));
    const disabled = [...before, ...added];
    if (added.length > 0) file.set(disabledKey, disabled);
    const skills = meant.flatMap((one) => one.skills);
    return {
      file: file.path,
      disabled,
      added,
      files: [...new Set(skills.map((skill) => skill.file))],
      loadedBy: loadedBy(skills, snapshot, agents),
      setUp: names.filter((name) => excludesFor(name).length === 0),
    };
  },
});
