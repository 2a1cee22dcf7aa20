import type { RuntimeName } from '../../policy/types.ts';
import type { Case, ScaffoldFile } from './scaffold.ts';
import { moduleBytes, moduleSource } from './scaffold-module.ts';

/** The differences between skills of different runtimes. */
interface Kind {
  readonly manifest: string;
  readonly files: readonly ScaffoldFile[];
  readonly cases: readonly Case[];
  /** More lines of the test's comment. */
  readonly needs: string;
}

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
