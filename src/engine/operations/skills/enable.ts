import { renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isThere } from '../../../core/disk/files.ts';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import { flag, type Infer, list, object, text } from '../../../core/schema/schema.ts';
import { fold } from '../../../core/text/text.ts';
import { disabledEntry } from '../../../registry/filters.ts';
import { checkName } from '../../../registry/resolve.ts';
import type { Snapshot } from '../../../registry/snapshot.ts';
import { agentIds, disabledKey, entryOf, skillsOf } from '../../disabling.ts';
import { defineOperation } from '../../operation.ts';
import { openSettings } from '../../settings-file.ts';

const output = object({
  file: text('The file of settings.'),
  removed: list(text(), 'Entries that are gone from it.'),
  renamed: list(text(), 'SKILL.md files that were called .SKILL.md.'),
  still: list(text(), 'Entries of another file, or of a variable, that go on disabling some of them.'),
});
export type EnableOutput = Infer<typeof output>;

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
  output,
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
