import { renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isThere } from '../../../core/disk/files.ts';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import { flag, type Infer, list, object, text } from '../../../core/schema/schema.ts';
import { fold } from '../../../core/text/text.ts';
import { disabledEntry } from '../../../registry/filters.ts';
import { checkName } from '../../../registry/resolve.ts';
import type { Snapshot } from '../../../registry/snapshot.ts';
import { excludesFor } from '../../agents/native.ts';
import { agentIds, disabledKey, entryOf, loadedBy, meantBy, skillsOf } from '../../disabling.ts';
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

const enableOutput = object({
  file: text('The file of settings.'),
  removed: list(text(), 'Entries that are gone from it.'),
  renamed: list(text(), 'SKILL.md files that were called .SKILL.md.'),
  still: list(text(), 'Entries of another file, or of a variable, that go on disabling some of them.'),
});
export type EnableOutput = Infer<typeof enableOutput>;

/** Enables skills that were disabled. */
export const enable = defineOperation({
  name: 'enable',
  effect: 'acts',
  input: {
    skills: list(text(), 'Skills by the name or the folder by which they were disabled.'),
    agent: list(text(), 'Only for this agent; repeatable. Without it, for all.', { default: [] }),
    project: flag("Change the project's repertoire.toml instead of your own file.", { default: false }),
  },
  changes: ({ skills, agent }) => ({ skills, parameters: { agent } }),
  notes: ({ skills }) => ({ what: 'changed', detail: `enabled ${skills.join(', ')}` }),
  output: enableOutput,
  async run(engine, { skills: typed, agent: names, project }): Promise<EnableOutput> {
    const snapshot = await engine.registry.snapshot();
    const agents = agentIds(names);
    const file = openSettings(engine, project ? 'project' : 'user');
    const entries = typed.map((one) => entryOf(one, engine));
    const ids = new Set(entries.flatMap((entry) => skillsOf(entry, snapshot)).map(({ id }) => id));
    const isAsked = (text: string): boolean => {
      const { agent, skill } = disabledEntry(text);
      if (agents.length > 0 && (agent === null || !agents.includes(agent))) return false;
      return ids.has(skill) || entries.some((entry) => fold(entry) === fold(skill));
    };
    const before = file.list(disabledKey);
    const kept = before.filter((entry) => !isAsked(entry));
    if (kept.length < before.length) file.set(disabledKey, kept.length === 0 ? undefined : kept);
    const removed = before.filter(isAsked);
    const renamed = typed.flatMap((one) => renamedIn(snapshot, one));
    const still = engine.configuration.values.disabled.filter((entry) => isAsked(entry) && !removed.includes(entry));
    if (removed.length + renamed.length + still.length === 0) throw notDisabled(typed, snapshot);
    return { file: file.path, removed, renamed, still };
  },
});

/** Renames the `.SKILL.md` of a folder of that name, which is how another program disables skills. */
function renamedIn({ diagnostics }: Snapshot, typed: string): readonly string[] {
  return diagnostics
    .filter(({ code, file }) => code === 'skill-disabled' && basename(file) === '.SKILL.md')
    .map(({ file }) => dirname(file))
    .filter((folder) => fold(basename(folder)) === fold(typed) || folder === typed)
    .filter((folder) => !isThere(join(folder, 'SKILL.md')))
    .map((folder) => {
      const file = join(folder, 'SKILL.md');
      try {
        renameSync(join(folder, '.SKILL.md'), file);
      } catch (error) {
        throw new SkillError('unwritable', `${folder}/.SKILL.md cannot be renamed (${reasonOf(error)})`);
      }
      return file;
    });
}

function notDisabled(typed: readonly string[], { disabled }: Snapshot): SkillError {
  for (const name of typed) if (!/[/~]/.test(name)) checkName(name);
  return new SkillError('not-found', `${typed.join(', ')}: nothing of that name is disabled`, {
    suggestions: [...disabled.values()],
    hint: 'repertoire list --disabled shows what is.',
  });
}
