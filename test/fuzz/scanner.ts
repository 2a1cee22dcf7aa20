import assert from 'node:assert/strict';
import { fileOf } from '../../src/get/scan/file.ts';
import { judge } from '../../src/get/scan/judge.ts';
import { rules } from '../../src/get/scan/rules/table.ts';
import type { Target } from './target.ts';

/** A file of a skill: its path on the first line, and its content. Those to start from are of the labelled set of the scan. */
export const scan: Target = {
  inputs: 25_000,
  isSteady: true,
  words: [
    ...[
      'curl -s https://files.example/x',
      '| sh',
      '$(',
      '`',
      '<(',
      '<<EOF\n',
      'eval ',
      '${a:-',
      '"$@"',
      '\\\n',
      '&&',
      ' > ',
    ],
    ...[
      'base64 -d',
      'atob(',
      'b64decode(',
      'exec(',
      'subprocess.run(',
      '__import__(',
      'getattr(',
      'lambda: ',
      'f"{',
      "'''",
    ],
    ...[
      'require("child_process")',
      '.then(',
      '=> ',
      'function f() {',
      '`${',
      'new Function(',
      'async ',
      'import(',
      '...',
    ],
    ...[
      '~/.ssh/id_rsa',
      '$HOME',
      'process.env',
      '/dev/tcp/',
      'crontab',
      '```sh\n',
      '<!-- ',
      '\u202e',
      '\u{e0041}',
      '\u200b',
    ],
    ...[
      'def f(x):\n    ',
      'for i in range(9):\n    ',
      'while true; do ',
      'done\n',
      'Y3VybCB4IHwgc2g=',
      '\\x63',
      'H4sIAAAAAAAAA',
    ],
  ],
  async open() {
    return { check: async (input) => judged(input), close() {} };
  },
};

/** Every hit is of a rule, says what was found, and lies in the file; and a second look finds the same. */
async function judged(input: Buffer): Promise<string> {
  const end = input.indexOf(0x0a);
  const path = input.subarray(0, Math.max(0, end)).toString('utf8') || 'notes.md';
  const bytes = input.subarray(end + 1);
  const look = () => judge(fileOf(path, bytes, /\.sh$/.test(path)), { others: ['release-notes'] });
  const first = await look();
  const { hits } = first;
  const lines = bytes.toString('utf8').split('\n').length;
  for (const { rule, line, found } of hits) {
    assert.ok(Object.hasOwn(rules, rule), `there is no rule ${rule}`);
    assert.notEqual(found.trim(), '', `${rule} says nothing`);
    if (line !== null) assert.ok(line >= 1 && line <= lines + 1, `${rule} is at line ${line} of ${lines}`);
  }
  assert.deepEqual(await look(), first, 'a second look finds something else');
  return [...new Set(hits.map(({ rule, layers }) => `${rule}${layers?.length ?? 0}`))].sort().join('|');
}
