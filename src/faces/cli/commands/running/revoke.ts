import { oneLine } from '../../../../core/text/text.ts';
import { revoke as operation } from '../../../../engine/operations/running/grants.ts';
import { defineCommand } from '../../command.ts';

export const revoke = defineCommand({
  operation,
  spelling: { skill: { positional: true, value: 'SKILL', completes: 'skill' } },
  withoutProject: true,
  about: 'Revokes what a skill was granted. Runs that use it are ended. Exit code 1: nothing was granted to it.',
  examples: [
    { run: 'repertoire revoke release-notes', what: 'one skill' },
    { run: 'repertoire revoke --all', what: 'every skill' },
  ],
  print({ revoked }, { terminal }) {
    terminal.write(revoked.length === 0 ? 'Nothing was granted.\n' : `Revoked: ${revoked.map(oneLine).join(', ')}\n`);
  },
});
