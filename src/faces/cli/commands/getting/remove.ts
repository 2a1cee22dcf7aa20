import { remove as operation } from '../../../../engine/operations/getting/remove.ts';
import { defineCommand } from '../../command.ts';
import { getting } from './got-lines.ts';

export const remove = defineCommand({
  operation,
  spelling: {
    names: { positional: true, value: 'NAME' },
    project: { short: 'p' },
    global: { short: 'g' },
    yes: { short: 'y' },
  },
  about:
    'Removes installed skills: the copy in .agents/skills, the links to it in the folders of agents, and the entry in the ' +
    'lock file. A skill that you have changed is kept aside, and the place is printed. Exit code 1: something was not ' +
    'removed.',
  examples: [
    { run: 'repertoire remove pdf', what: 'from this project, or from your home' },
    { run: 'repertoire remove --all --global', what: 'everything in the lock file of your home' },
  ],
  ...getting,
});
