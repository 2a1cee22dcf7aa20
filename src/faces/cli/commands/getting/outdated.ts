import { oneLine } from '../../../../core/text/text.ts';
import { type OutdatedOutput, outdated as operation } from '../../../../engine/operations/getting/outdated.ts';
import { defineCommand } from '../../command.ts';

export const outdated = defineCommand({
  operation,
  spelling: {
    names: { positional: true, value: 'NAME' },
    project: { short: 'p' },
    global: { short: 'g' },
  },
  about:
    'Asks the sources of installed skills whether there is something newer, and changes nothing. Exit code 1: there is, or ' +
    'a source could not be asked.',
  examples: [
    { run: 'repertoire outdated', what: 'everything in the lock file' },
    { run: 'repertoire outdated --global --json', what: 'for scripts' },
  ],
  print({ skills, ok }: OutdatedOutput, { terminal }) {
    const colours = { current: 'green', outdated: 'yellow', unknown: 'red' } as const;
    const lines = skills
      .filter(({ state }) => state !== 'current')
      .map(({ name, state, source, installed, newest, reason }) => {
        const change = reason ?? `${brief(installed)} → ${brief(newest)}  ${source}`;
        return `${terminal.style(colours[state], state)}  ${oneLine(name)}  ${oneLine(change)}`;
      });
    const end = ok ? [skills.length === 0 ? 'Nothing is installed.' : 'Everything is current.'] : [];
    return [...lines, ...end];
  },
  succeeded: ({ ok }) => ok,
});

function brief(state: string | null): string {
  return state === null ? '?' : state.replace(/^sha256:/, '').slice(0, 12);
}
