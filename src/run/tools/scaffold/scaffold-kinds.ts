import type { RuntimeName } from '../../policy/types.ts';
import type { Case, ScaffoldFile } from './scaffold.ts';

/** The differences between skills of different runtimes. */
interface Kind {
  readonly manifest: string;
  readonly files: readonly ScaffoldFile[];
  readonly cases: readonly Case[];
  /** More lines of the test's comment. */
  readonly needs: string;
}

/** The source of the module that a new skill starts with. */
export const moduleSource = `;; Counts the lines, words and bytes that it reads from standard input, and writes them as JSON.
;; Build it again after a change: wat2wasm src/count.wat -o count.wasm
(module
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (memory (export "memory") 2)
  ;; 0: a vector for reading and writing, 8: how many bytes it was, 16: texts, 64: digits, 1024: what is read
  (data (i32.const 16) "{\\22lines\\22:")
  (data (i32.const 28) ",\\22words\\22:")
  (data (i32.const 40) ",\\22bytes\\22:")
  (data (i32.const 52) "}\\0a")

  (func $write (param $at i32) (param $length i32)
    (i32.store (i32.const 0) (local.get $at))
    (i32.store (i32.const 4) (local.get $length))
    (if (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))
      (then (call $proc_exit (i32.const 1)))))

  (func $write_number (param $number i32) (local $at i32)
    (local.set $at (i32.const 96))
    (loop $digit
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (i32.store8 (local.get $at) (i32.add (i32.const 48) (i32.rem_u (local.get $number) (i32.const 10))))
      (local.set $number (i32.div_u (local.get $number) (i32.const 10)))
      (br_if $digit (local.get $number)))
    (call $write (local.get $at) (i32.sub (i32.const 96) (local.get $at))))

  (func (export "_start")
    (local $lines i32) (local $words i32) (local $bytes i32)
    (local $inside i32) (local $at i32) (local $end i32) (local $byte i32)
    (block $done
      (loop $more
        (i32.store (i32.const 0) (i32.const 1024))
        (i32.store (i32.const 4) (i32.const 65536))
        (if (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8))
          (then (call $proc_exit (i32.const 1))))
        (br_if $done (i32.eqz (i32.load (i32.const 8))))
        (local.set $bytes (i32.add (local.get $bytes) (i32.load (i32.const 8))))
        (local.set $at (i32.const 1024))
        (local.set $end (i32.add (i32.const 1024) (i32.load (i32.const 8))))
        (loop $each
          (local.set $byte (i32.load8_u (local.get $at)))
          (local.set $lines (i32.add (local.get $lines) (i32.eq (local.get $byte) (i32.const 10))))
          ;; a word begins where a blank ends
          (if (i32.le_u (local.get $byte) (i32.const 32))
            (then (local.set $inside (i32.const 0)))
            (else
              (local.set $words (i32.add (local.get $words) (i32.eqz (local.get $inside))))
              (local.set $inside (i32.const 1))))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br_if $each (i32.lt_u (local.get $at) (local.get $end))))
        (br $more)))
    (call $write (i32.const 16) (i32.const 9))
    (call $write_number (local.get $lines))
    (call $write (i32.const 28) (i32.const 9))
    (call $write_number (local.get $words))
    (call $write (i32.const 40) (i32.const 9))
    (call $write_number (local.get $bytes))
    (call $write (i32.const 52) (i32.const 2))))
`;

/** The compiled module, so that trying the skill needs no compiler. */
export const moduleBytes: Uint8Array = Buffer.from(
  [
    'AGFzbQEAAAABFQRgBH9/f38Bf2ABfwBgAn9/AGAAAAJnAxZ3YXNpX3NuYXBzaG90X3ByZXZpZXcxB2ZkX3JlYWQAABZ3YXNpX3Nu',
    'YXBzaG90X3ByZXZpZXcxCGZkX3dyaXRlAAAWd2FzaV9zbmFwc2hvdF9wcmV2aWV3MQlwcm9jX2V4aXQAAQMEAwIBAwUDAQACBxMC',
    'Bm1lbW9yeQIABl9zdGFydAAFCooCAyEAQQAgADYCAEEEIAE2AgBBAUEAQQFBCBABBEBBARACCws1AQF/QeAAIQEDQCABQQFrIQEg',
    'AUEwIABBCnBqOgAAIABBCm4hACAADQALIAFB4AAgAWsQAwuvAQEHfwJAA0BBAEGACDYCAEEEQYCABDYCAEEAQQBBAUEIEAAEQEEB',
    'EAILQQgoAgBFDQEgAkEIKAIAaiECQYAIIQRBgAhBCCgCAGohBQNAIAQtAAAhBiAAIAZBCkZqIQAgBkEgTQRAQQAhAwUgASADRWoh',
    'AUEBIQMLIARBAWohBCAEIAVJDQALDAALC0EQQQkQAyAAEARBHEEJEAMgARAEQShBCRADIAIQBEE0QQIQAwsLMgQAQRALCXsibGlu',
    'ZXMiOgBBHAsJLCJ3b3JkcyI6AEEoCwksImJ5dGVzIjoAQTQLAn0K',
  ].join(''),
  'base64',
);

const capabilities = `
# Nothing is asked for: no network, no files but the skill's own (which cannot be changed), and a scratch folder that
# goes away. What is asked for here has to be granted: repertoire grant.
[capabilities]
# network = ["api.example.com"]
# filesystem = ["read:/data"]
# env = ["LANG"]
# secrets = ["API_TOKEN"]
`;

const script = `#!/usr/bin/env node
// Counts the lines, words and characters of what it reads, and lists the words that occur most.
import { readFileSync } from 'node:fs';

const option = process.argv.find((word) => word.startsWith('--top='));
const top = option === undefined ? 0 : Number(option.slice('--top='.length));

const text = readFileSync(0, 'utf8');
const words = text.match(/[\\p{L}\\p{N}]+/gu) ?? [];
const times = new Map();
for (const word of words) times.set(word.toLowerCase(), (times.get(word.toLowerCase()) ?? 0) + 1);
const most = [...times].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, top);

const counted = { lines: text.split('\\n').length - 1, words: words.length, characters: [...text].length };
process.stdout.write(\`\${JSON.stringify(top === 0 ? counted : { ...counted, most: Object.fromEntries(most) })}\\n\`);
`;

const native: Kind = {
  manifest: `# What this skill can run, and what that needs.
[skill]
version = "0.1.0"
runtime = "native"
timeout = "10s"
${capabilities}
[tools.count]
description = "Counts the lines, words and characters of a text."
# Each {parameter} becomes one argument, whatever its value is, and is left out where there is none. No shell is involved.
command = ["node", "scripts/count.mjs", "--top={top}"]
stdin = "{text}"
output = "json"
read_only = true

[tools.count.parameters]
text = { type = "string", required = true, description = "The text." }
top = { type = "integer", minimum = 1, maximum = 100, description = "List this many of the words that occur most." }
`,
  files: [{ path: 'scripts/count.mjs', content: script, executable: true }],
  cases: [
    { options: ["--param 'text=one two'"], expected: '{"lines":0,"words":2,"characters":7}' },
    {
      options: ["--param 'text=to be or not to be'", '--param top=1'],
      expected: '{"lines":0,"words":6,"characters":18,"most":{"be":2}}',
    },
  ],
  needs: '',
};

const wasm: Kind = {
  manifest: `# What this skill can run, and what that needs.
[skill]
version = "0.1.0"
runtime = "wasm"
module = "count.wasm"
timeout = "10s"
${capabilities}
[tools.count]
description = "Counts the lines, words and bytes of a text."
# The arguments of the module; each {parameter} in them becomes one argument. This one needs none.
args = []
stdin = "{text}"
output = "json"
read_only = true

[tools.count.parameters]
text = { type = "string", required = true, description = "The text." }
`,
  files: [
    { path: 'count.wasm', content: moduleBytes, executable: false },
    { path: 'src/count.wat', content: moduleSource, executable: false },
  ],
  cases: [{ options: ["--param 'text=one two'"], expected: '{"lines":0,"words":2,"bytes":7}' }],
  needs: '',
};

const docker: Kind = {
  manifest: `# What this skill can run, and what that needs.
[skill]
version = "0.1.0"
runtime = "docker"
image = "alpine:3.20"
timeout = "20s"
${capabilities}
[tools.count]
description = "Counts the lines, words and bytes of a text."
# What is run in the container; each {parameter} in it becomes one argument. No shell is involved.
command = ["wc", "-l", "-w", "-c"]
stdin = "{text}"
read_only = true

[tools.count.parameters]
text = { type = "string", required = true, description = "The text." }
`,
  files: [],
  cases: [{ options: ["--param 'text=one two'"], expected: '0 2 7' }],
  needs: '\n# The image has to be granted first: repertoire grant',
};

export const kinds: Readonly<Record<RuntimeName, Kind>> = { native, wasm, docker };
