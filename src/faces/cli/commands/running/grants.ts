import { oneLine } from '../../../../core/text/text.ts';
import { grants as operation } from '../../../../engine/operations/running/grants.ts';
import { defineCommand } from '../../command.ts';

export const grants = defineCommand({
  operation,
  withoutProject: true,
  about:
    'Lists what skills have been granted, and whether each grant is still valid: any change to a file of the skill ends it.',
  examples: [
    { run: 'repertoire grants', what: 'all of them' },
    { run: "repertoire grants --json | jq '.grants[] | select(.valid | not)'", what: 'those that are no longer valid' },
  ],
  print({ grants: all, problems }, { terminal }) {
    for (const problem of problems) terminal.note(`${terminal.style('yellow', 'warning:')} ${oneLine(problem)}\n`);
    if (all.length === 0) {
      terminal.write('Nothing is granted.\n');
      return;
    }
    const lines = all.flatMap(({ skill, folder, may, withheld, valid, changes, grantedAt }) => [
      `${terminal.style('bold', oneLine(skill))} ${terminal.style(valid ? 'green' : 'red', valid ? 'valid' : 'invalid')} ` +
        terminal.style('dim', `${oneLine(folder)}, since ${grantedAt.slice(0, 10)}`),
      ...may.map((line) => `  - ${oneLine(line)}`),
      ...withheld.map(({ words }) => terminal.style('dim', `  - not granted: ${oneLine(words)}`)),
      ...changes.map((line) => `  ${terminal.style('yellow', oneLine(line))}`),
    ]);
    terminal.write(`${lines.join('\n')}\n`);
  },
});
