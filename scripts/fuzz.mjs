import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * Gives readers of strangers' bytes inputs that nobody thought of: `npm run fuzz`, or
 * `npm run fuzz -- --minutes 10 --seed 7 skill-md`. What makes one fail becomes a file of its corpus. Without `--minutes`
 * each target gets a number of inputs, its own or that of `--inputs`, which are the same on every machine.
 */
const project = fileURLToPath(new URL('..', import.meta.url));
const corpus = join(project, 'test/fuzz/corpus');
const words = process.argv.slice(2);
const minutes = optionOf('--minutes');
const inputs = optionOf('--inputs');
const seed = Number(optionOf('--seed') ?? Date.now() % 1_000_000_000);
const names = words.length > 0 ? words : readdirSync(corpus);
const unknown = names.find((name) => !existsSync(join(corpus, name)));
if (unknown !== undefined) throw new Error(`no target ${unknown}; there are ${readdirSync(corpus).join(', ')}`);

/**
 * A hang, by the clock on the wall: so long that no load of the machine is taken for one. What is merely slow is found by its processor time.
 */
const longestMs = 900_000;
/** A leak comes to an end here, in mebibytes, instead of filling the machine. */
const heapLimit = 512;
const limit = minutes === undefined ? (inputs ?? '') : `${Number(minutes) * 60}s`;
const folder = mkdtempSync(join(tmpdir(), 'repertoire-fuzz-'));
/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    process.kill(process.pid, signal);
  });
}
try {
  await build();
  console.log(`seed ${seed}, ${names.join(', ')}`);
  const waiting = [...names];
  // One more than there are processors: the server of `http` is given time to answer, and leaves one idle meanwhile.
  const failed = await Promise.all(
    Array.from({ length: Math.min(names.length, availableParallelism() + 1) }, async () => {
      let failures = 0;
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) failures += await fuzz(name);
      return failures;
    }),
  );
  if (failed.some((failures) => failures > 0)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} name */
function optionOf(name) {
  const at = words.indexOf(name);
  return at === -1 ? undefined : words.splice(at, 2)[1];
}

async function build() {
  const bundle = await rolldown({ input: join(project, 'test/fuzz/run.ts'), platform: 'node', cwd: project });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'run.mjs', chunkFileNames: '[name]-[hash].mjs' });
  await bundle.close();
}

/**
 * @param {string} name
 * @returns {Promise<number>} how many failures there were
 */
async function fuzz(name) {
  const current = join(folder, `${name}.current`);
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${heapLimit}`,
      join(folder, 'run.mjs'),
      name,
      String(seed),
      limit,
      join(corpus, name),
      current,
    ],
    { cwd: project, env: { ...process.env, FUZZ_PROJECT: project }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  running.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += String(data)));
  const timer = setInterval(() => {
    const since = existsSync(current) ? statSync(current).mtimeMs : Date.now();
    if (Date.now() - since > longestMs) child.kill('SIGKILL');
  }, 1000);
  const [code, signal] = await new Promise((resolve) => {
    child.on('close', (...end) => resolve(end));
  });
  clearInterval(timer);
  running.delete(child);
  if (code === 0) {
    console.log(`${name}: ${said}`);
    return 0;
  }
  const input = existsSync(current) ? readFileSync(current) : Buffer.alloc(8);
  const bytes = input.subarray(8, 8 + input.readDoubleLE(0));
  const file = join(corpus, name, `found-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`);
  if (!existsSync(file)) writeFileSync(file, bytes);
  const how = signal === null ? said.trim() : `it did not come to an end\n${said.trim()}`;
  console.error(`${name}: failed (seed ${seed})\n${how}\nThe input is now ${file}; fix what it shows, and keep it.`);
  return 1;
}
