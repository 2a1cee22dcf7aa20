import { isAbsolute } from 'node:path';
import { displayPath } from '../../../../core/disk/paths.ts';
import { oneLine } from '../../../../core/text/text.ts';
import {
  disable as disableOperation,
  enable as enableOperation,
} from '../../../../engine/operations/skills/disable.ts';
import { disabledEntry } from '../../../../registry/filters.ts';
import { defineCommand } from '../../command.ts';

const spelling = {
  skills: { positional: true, value: 'SKILL', completes: 'skill' },
  agent: { value: 'AGENT', completes: 'agent' },
} as const;

export const disable = defineCommand({
  operation: disableOperation,
  spelling,
  about:
    'Puts skills aside: they stay where they are, and nobody loads, searches or runs them. A name disables every copy ' +
    'of that name, a folder only the skill in it. It is kept in your settings, or with --project in those of the ' +
    'project, and running servers follow at once. repertoire list --disabled shows them, repertoire enable has them back.',
  examples: [
    { run: 'repertoire disable csv-profiler', what: 'for every agent' },
    { run: 'repertoire disable csv-profiler --agent codex', what: 'for one' },
    { run: 'repertoire disable ./skills/csv-profiler --project', what: 'one copy, for everybody in this project' },
  ],
  print({ file, added, files, loadedBy, setUp }, { engine }) {
    const path = (one: string): string => oneLine(displayPath(one, engine.environment));
    const head = added.length === 0 ? `Already in ${path(file)}:` : `Disabled in ${path(file)}:`;
    return [
      head,
      ...files.map((one) => `  ${path(one)}`),
      ...(loadedBy.length === 0 ? [] : [stillSeen(loadedBy, files.length)]),
      ...setUp.map((id) => `Run repertoire setup ${id}, so that its server knows whom it serves.`),
    ];
  },
});

/** The sentence about agents that read the folders themselves, which no setting of ours keeps them from. */
function stillSeen(agents: readonly string[], skills: number): string {
  const [see, they, read] = agents.length === 1 ? ['sees', 'it', 'reads'] : ['see', 'they', 'read'];
  const [them, folders] = skills === 1 ? ['it', 'its folder'] : ['some of them', 'their folders'];
  return `${agents.join(', ')} still ${see} ${them}: ${they} ${read} ${folders} without Repertoire.`;
}

export const enable = defineCommand({
  operation: enableOperation,
  spelling,
  about:
    'Has skills back that repertoire disable put aside, and those whose file is called .SKILL.md. Exit code 1: nothing ' +
    'of that name is disabled, or another file goes on disabling it.',
  examples: [
    { run: 'repertoire enable csv-profiler', what: 'for every agent' },
    { run: 'repertoire enable csv-profiler --agent codex', what: 'for one' },
  ],
  print({ file, removed, renamed, still }, { engine }) {
    const path = (one: string): string => oneLine(displayPath(one, engine.environment));
    const shown = (entry: string): string => {
      const { agent, skill } = disabledEntry(entry);
      const what = isAbsolute(skill) ? path(skill) : oneLine(skill);
      return agent === null ? what : `${what} for ${agent}`;
    };
    return [
      ...removed.map((entry) => `Enabled ${shown(entry)} in ${path(file)}.`),
      ...renamed.map((one) => `Renamed ${path(one)}.`),
      ...still.map(
        (entry) => `${shown(entry)} is still disabled elsewhere: repertoire config get disabled shows where.`,
      ),
    ];
  },
  succeeded: ({ still }) => still.length === 0,
});
