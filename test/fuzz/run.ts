import { closeSync, openSync, writeSync } from 'node:fs';
import { fuzz } from './loop.ts';
import { targets } from './targets.ts';

/**
 * Fuzzes one target: `run.js TARGET SEED LIMIT CORPUS CURRENT`, where the limit is a number of inputs, or seconds if it
 * ends in `s`. Without one it is the target's own number of inputs. Started by scripts/fuzz.mjs.
 */
const [name = '', seed = '1', limit = '', corpus = '', current = ''] = process.argv.slice(2);
const target = targets[name];
if (target === undefined) throw new Error(`no target ${name}; there are ${Object.keys(targets).join(', ')}`);

const until = limit.endsWith('s') ? Date.now() + Number.parseFloat(limit) * 1000 : Number.POSITIVE_INFINITY;
const most = limit.endsWith('s') ? Number.POSITIVE_INFINITY : Number(limit || target.inputs);
const file = openSync(current, 'w');
const began = Date.now();
try {
  const { runs, outcomes, slowestMs, busyMs, peakMiB, digest } = await fuzz(target, {
    corpus,
    seed: Number(seed),
    // Processors differ by more than two; what grows with the square of its input takes far longer.
    longestMs: 4_000,
    goesOn: (done) => done < most && Date.now() < until,
    note,
  });
  const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
  const took = `${seconds(Date.now() - began)}, of a processor ${seconds(busyMs)}, the slowest ${Math.round(slowestMs)} ms`;
  process.stdout.write(`${runs} inputs (${digest}), ${outcomes} outcomes, ${took}, ${Math.round(peakMiB)} MiB at most`);
} finally {
  closeSync(file);
}

/** Whoever started this reads which input it was, where it does not come to an end. */
function note(input: Buffer): void {
  const size = Buffer.alloc(8);
  size.writeDoubleLE(input.length);
  writeSync(file, Buffer.concat([size, input]), 0, undefined, 0);
}
