import { update as operation } from '../../../../engine/operations/getting/update.ts';
import { defineCommand } from '../../command.ts';
import { getting } from './got-lines.ts';

export const update = defineCommand({
  operation,
  spelling: {
    names: { positional: true, value: 'NAME' },
    project: { short: 'p' },
    global: { short: 'g' },
    prefer: { value: 'SIDE' },
    yes: { short: 'y' },
  },
  about:
    'Brings installed skills to the newest state of their sources, as far as the ref that was asked for allows. A skill ' +
    'that you have changed is never overwritten: you see what you have changed and what the source has, and both are put ' +
    'together if you agree. Where both have changed the same lines the skill is left alone, unless --prefer says which to ' +
    'take; what is replaced is kept aside all the same. Exit code 1: something could not be updated, or you did not agree.',
  examples: [
    { run: 'repertoire update', what: 'everything in the lock file' },
    { run: 'repertoire update pdf --dry-run', what: 'look at one, and change nothing' },
    { run: 'repertoire update pdf --prefer mine', what: 'keep your lines where both have changed them' },
  ],
  ...getting,
});
