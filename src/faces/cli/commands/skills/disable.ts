import { displayPath } from '../../../../core/disk/paths.ts';
import { count, oneLine } from '../../../../core/text/text.ts';
import {
  disable as disableOperation,
  enable as enableOperation,
} from '../../../../engine/operations/skills/disable.ts';
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
    const still = `${loadedBy.join(', ')} ${loadedBy.length === 1 ? 'reads' : 'read'} ${count(files.length, 'such folder')}`;
    return [
      head,
      ...files.map((one) => `  ${path(one)}`),
      ...(loadedBy.length === 0 ? [] : [`${still} without us, and will go on doing so.`]),
      ...setUp.map((id) => `Run repertoire setup ${id}, so that its server knows whom it serves.`),
    ];
  },
});

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
    return [
      ...removed.map((entry) => `Enabled ${oneLine(entry)} in ${path(file)}.`),
      ...renamed.map((one) => `Renamed ${path(one)}.`),
      ...still.map(
        (entry) => `${oneLine(entry)} is still disabled elsewhere: repertoire config get disabled shows where.`,
      ),
    ];
  },
  succeeded: ({ still }) => still.length === 0,
});
