import { displayPath } from '../../../../core/disk/paths.ts';
import type { Environment } from '../../../../core/environment.ts';
import { counted, oneLine } from '../../../../core/text/text.ts';
import { type InstallOutput, install as operation } from '../../../../engine/operations/getting/install.ts';
import { defineCommand } from '../../command.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export const install = defineCommand({
  operation,
  spelling: {
    source: { positional: true, value: 'SOURCE' },
    project: { short: 'p' },
    global: { short: 'g' },
    yes: { short: 'y' },
  },
  about:
    'Installs what the lock file says and is not there: the very same files, byte for byte, or none. A source that has ' +
    'other files now, and a skill that was changed by hand, are reported and left alone. With --frozen any difference is ' +
    'a failure, nothing is changed then, and the lock file is never written: for CI. To get skills from a source, use add. ' +
    'Exit code 1: something is not as the lock file says.',
  examples: [
    { run: 'repertoire install', what: 'after a checkout' },
    { run: 'repertoire install --frozen', what: 'in CI' },
    { run: 'repertoire install --offline', what: 'from what has been fetched before' },
  ],
  print({ checked, installed, differences, dryRun, lockFile }: InstallOutput, { terminal, engine }) {
    const file = oneLine(displayPath(lockFile, engine.environment));
    const word = dryRun ? 'would install' : 'installed';
    return [
      ...installed.map((name) => `${terminal.style('green', word)}  ${oneLine(name)}`),
      ...differenceLines(differences, terminal, engine.environment),
      ...(installed.length + differences.length === 0 ? [`${counted(checked, 'skill')}: all as ${file} says.`] : []),
    ];
  },
  succeeded: ({ ok }) => ok,
});

/** The differences between a lock file and what is there, a line each. */
export function differenceLines(
  differences: InstallOutput['differences'],
  terminal: Terminal,
  environment: Environment,
): readonly string[] {
  const short = (text: string): string => {
    const [path = '', ...words] = text.split(' ');
    return oneLine([path.startsWith('/') ? displayPath(path, environment) : path, ...words].join(' '));
  };
  return differences.flatMap(({ name, kind, what, files }) => [
    `${terminal.style('red', kind)}  ${oneLine(name)}: ${short(what)}`,
    ...files.map((file) => `  ${oneLine(file)}`),
  ]);
}
