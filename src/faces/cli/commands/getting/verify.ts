import { displayPath } from '../../../../core/disk/paths.ts';
import { counted, oneLine } from '../../../../core/text/text.ts';
import { verify as operation, type VerifyOutput } from '../../../../engine/operations/getting/verify.ts';
import { defineCommand } from '../../command.ts';
import { differenceLines } from './install.ts';

export const verify = defineCommand({
  operation,
  spelling: {
    names: { positional: true, value: 'NAME' },
    project: { short: 'p' },
    global: { short: 'g' },
  },
  about:
    'Reads every file of the installed skills and compares it with the lock file, as well as the links and copies in the ' +
    'folders of agents. Changes nothing, and needs no network. Exit code 1: something differs.',
  examples: [
    { run: 'repertoire verify', what: 'everything in the lock file' },
    { run: 'repertoire verify pdf --global', what: 'one skill of your home' },
  ],
  print({ checked, differences, ok, lockFile }: VerifyOutput, { terminal, engine }) {
    const file = oneLine(displayPath(lockFile, engine.environment));
    return ok
      ? [`${counted(checked, 'skill')}: all as ${file} says.`]
      : differenceLines(differences, terminal, engine.environment);
  },
  succeeded: ({ ok }) => ok,
});
