import { unifiedDiff } from '../../../../core/text/diff.ts';
import { oneLine, printable } from '../../../../core/text/text.ts';
import {
  type FileChange,
  grants as grantsOperation,
  revoke as revokeOperation,
} from '../../../../engine/operations/running/grants.ts';
import { defineCommand } from '../../command.ts';
import type { Style, Terminal } from '../../terminal/terminal.ts';

export const grants = defineCommand({
  operation: grantsOperation,
  spelling: { skill: { positional: true, value: 'SKILL', completes: 'skill' } },
  withoutProject: true,
  about:
    'Lists what skills have been granted, and whether each grant is still valid: any change to a file of the skill ends it. ' +
    'With --diff, shows how the files have changed since, as far as their texts were kept: texts up to 256 kB.',
  examples: [
    { run: 'repertoire grants', what: 'all of them' },
    { run: 'repertoire grants release-notes --diff', what: 'how one skill has changed since its grant' },
    { run: "repertoire grants --json | jq '.grants[] | select(.valid | not)'", what: 'those that are no longer valid' },
  ],
  print({ grants: all, problems }, { terminal }) {
    for (const problem of problems) terminal.note(`${terminal.style('yellow', 'warning:')} ${oneLine(problem)}\n`);
    if (all.length === 0) return ['Nothing is granted.'];
    return all.flatMap(({ skill, folder, may, withheld, valid, changes, files = [], grantedAt }) => [
      `${terminal.style('bold', oneLine(skill))} ${terminal.style(valid ? 'green' : 'red', valid ? 'valid' : 'invalid')} ` +
        terminal.style('dim', `${oneLine(folder)}, since ${grantedAt.slice(0, 10)}`),
      ...may.map((line) => `  - ${oneLine(line)}`),
      ...withheld.map(({ words }) => terminal.style('dim', `  - not granted: ${oneLine(words)}`)),
      ...changes.map((line) => `  ${terminal.style('yellow', oneLine(line))}`),
      ...files.flatMap((file) => diffLines(file, terminal)),
    ]);
  },
});

export const revoke = defineCommand({
  operation: revokeOperation,
  spelling: { skill: { positional: true, value: 'SKILL', completes: 'skill' } },
  withoutProject: true,
  about: 'Revokes what a skill was granted. Runs that use it are ended. Exit code 1: nothing was granted to it.',
  examples: [
    { run: 'repertoire revoke release-notes', what: 'one skill' },
    { run: 'repertoire revoke --all', what: 'every skill' },
  ],
  print({ revoked }) {
    return [revoked.length === 0 ? 'Nothing was granted.' : `Revoked: ${revoked.map(oneLine).join(', ')}`];
  },
});

const styles: Readonly<Record<string, Style>> = { '+': 'green', '-': 'red', '@': 'cyan' };

/** The lines of a file's diff, as `diff -u` writes them; a note where a text of it is missing. */
function diffLines({ path, change, before, after, note }: FileChange, terminal: Terminal): string[] {
  const isKnown = (change === 'added' || before !== null) && (change === 'removed' || after !== null);
  const diff = isKnown ? unifiedDiff(before, after, oneLine(path)).trimEnd() : '';
  const lines = diff === '' ? [] : printable(diff).split('\n');
  return [
    ...lines.map((line) => {
      const style = styles[line[0] ?? ''];
      return style === undefined ? line : terminal.style(style, line);
    }),
    ...(note === null ? [] : [terminal.style('dim', `${oneLine(path)}: ${note}`)]),
  ];
}
