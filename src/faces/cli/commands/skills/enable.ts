import { isAbsolute } from 'node:path';
import { displayPath } from '../../../../core/disk/paths.ts';
import { oneLine } from '../../../../core/text/text.ts';
import { enable as operation } from '../../../../engine/operations/skills/disable.ts';
import { disabledEntry } from '../../../../registry/filters.ts';
import { defineCommand, exitCodes } from '../../command.ts';

export const enable = defineCommand({
  operation,
  spelling: {
    skills: { positional: true, value: 'SKILL', completes: 'skill' },
    agent: { value: 'AGENT', completes: 'agent' },
  },
  about:
    'Has skills back that repertoire disable put aside, and those whose file is called .SKILL.md. Exit code 1: nothing ' +
    'of that name is disabled, or another file goes on disabling it.',
  examples: [
    { run: 'repertoire enable csv-profiler', what: 'for every agent' },
    { run: 'repertoire enable csv-profiler --agent codex', what: 'for one' },
  ],
  print({ file, removed, renamed, still }, { terminal, engine }) {
    const path = (one: string): string => oneLine(displayPath(one, engine.environment));
    const shown = (entry: string): string => {
      const { agent, skill } = disabledEntry(entry);
      const what = isAbsolute(skill) ? path(skill) : oneLine(skill);
      return agent === null ? what : `${what} for ${agent}`;
    };
    const lines = [
      ...removed.map((entry) => `Enabled ${shown(entry)} in ${path(file)}.`),
      ...renamed.map((one) => `Renamed ${path(one)}.`),
      ...still.map(
        (entry) => `${shown(entry)} is still disabled elsewhere: repertoire config get disabled shows where.`,
      ),
    ];
    terminal.write(`${lines.join('\n')}\n`);
  },
  exitCode: ({ still }) => (still.length === 0 ? exitCodes.ok : exitCodes.negative),
});
