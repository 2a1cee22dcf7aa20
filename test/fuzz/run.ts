import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { mutated, randomFrom } from './mutate.ts';
import type { Opened } from './target.ts';
import { targets } from './targets.ts';

/** Fuzzes one target for some seconds: `run.js TARGET SECONDS SEED CORPUS CURRENT`. Started by scripts/fuzz.mjs. */
const [name = '', seconds = '60', seed = '1', corpus = '', current = ''] = process.argv.slice(2);
const target = targets[name];
if (target === undefined) throw new Error(`no target ${name}; there are ${Object.keys(targets).join(', ')}`);

/** All passes over one input together may keep a processor busy for no longer, whatever else the machine does. */
const longestMs = 10_000;

/** Large inputs take long, and are made of small ones anyway. */
const longestStart = 4096;
const mostOutcomes = 2000;

const random = randomFrom(Number(seed));
const seeds = readdirSync(corpus).map((file) => readFileSync(join(corpus, file)));
const material: { readonly pool: Buffer[]; readonly words: readonly Buffer[] } = {
  pool: [...seeds],
  words: target.words.map((word) => Buffer.from(word)),
};
const outcomes = new Set<string>();
const note = openSync(current, 'w');
const opened = await target.open();
const until = Date.now() + Number(seconds) * 1000;
let [runs, slowestMs] = [0, 0];
try {
  for (const input of seeds) outcomes.add(await checked(opened, input));
  while (Date.now() < until) {
    const input = mutated(random, material);
    const outcome = await checked(opened, input);
    runs++;
    // What comes out differently is worth to start from: there is no other guide.
    if (!outcomes.has(outcome) && input.length <= longestStart && outcomes.size < mostOutcomes)
      material.pool.push(input);
    outcomes.add(outcome);
  }
  process.stdout.write(`${runs} inputs, ${outcomes.size} outcomes, the slowest took ${Math.round(slowestMs)} ms`);
} finally {
  await opened.close();
  closeSync(note);
}

/** Whoever started this reads which input it was, where it does not come to an end. */
async function checked(one: Opened, input: Buffer): Promise<string> {
  const size = Buffer.alloc(8);
  size.writeDoubleLE(input.length);
  writeSync(note, Buffer.concat([size, input]), 0, undefined, 0);
  const began = process.cpuUsage();
  const outcome = await one.check(input);
  const { user, system } = process.cpuUsage(began);
  const tookMs = (user + system) / 1000;
  slowestMs = Math.max(slowestMs, tookMs);
  if (tookMs > longestMs) throw new Error(`${input.length} bytes took ${Math.round(tookMs)} ms of processor time`);
  return outcome;
}
