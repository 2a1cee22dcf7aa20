import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutated, randomFrom } from './mutate.ts';
import type { Target, Usage } from './target.ts';

/** Large inputs take long, and are made of small ones anyway. */
const longestStart = 4096;
const isShort = ({ length }: Buffer): boolean => length <= longestStart;

/** Each may be taken apart and kept so, which takes memory. */
const mostOutcomes = 1000;

export interface Fuzzed {
  readonly runs: number;
  readonly outcomes: number;
  readonly slowestMs: number;
  readonly busyMs: number;
  readonly peakMiB: number;
  /** Of all inputs, in order: the same code and seed give the same inputs on every machine. */
  readonly digest: string;
}

interface Run {
  /** A folder with what the target starts from. */
  readonly corpus: string;
  readonly seed: number;
  /** All passes over one input together may keep a processor busy for no longer, whatever else the machine does. */
  readonly longestMs: number;
  /** Whether there is to be another input after so many. */
  readonly goesOn: (runs: number) => boolean;
  /** Hears of each input before it is read. */
  readonly note?: (input: Buffer) => void;
}

export async function fuzz(target: Target, { corpus, seed, longestMs, goesOn, note }: Run): Promise<Fuzzed> {
  const random = randomFrom(seed);
  // In the order of code units, which no locale and no file system changes.
  const files = readdirSync(corpus).sort();
  const seeds: Buffer[] = files.map((file) => readFileSync(join(corpus, file)));
  const pool = seeds.filter(isShort);
  const material = { pool, words: target.words.map((word) => Buffer.from(word)), shape: target.shape };
  const outcomes = new Set<string>();
  const digest = createHash('sha256');
  const opened = await target.open();
  const atFirst = ownUsage();
  let [runs, slowestMs, othersMs] = [0, 0, 0];

  async function checked(input: Buffer): Promise<string> {
    note?.(input);
    digest.update(`${input.length} `).update(input);
    const [own, other] = [ownUsage(), opened.usage?.()];
    const outcome = await opened.check(input);
    // A server that was started again begins at nothing.
    const otherMs = Math.max(0, (opened.usage?.().busyMs ?? 0) - (other?.busyMs ?? 0));
    const tookMs = ownUsage().busyMs - own.busyMs + otherMs;
    othersMs += otherMs;
    slowestMs = Math.max(slowestMs, tookMs);
    if (tookMs > longestMs) throw new Error(`${input.length} bytes took ${Math.round(tookMs)} ms of processor time`);
    return outcome;
  }

  try {
    for (const input of seeds) outcomes.add(await checked(input));
    for (; goesOn(runs); runs++) {
      const input = mutated(random, material);
      const outcome = await checked(input);
      const isNew = !outcomes.has(outcome) && outcomes.size < mostOutcomes;
      outcomes.add(outcome);
      // What comes out differently is worth starting from: there is no other guide.
      if (target.isSteady && isNew && isShort(input)) pool.push(input);
    }
    const last = ownUsage();
    const busyMs = last.busyMs - atFirst.busyMs + othersMs;
    const peakMiB = Math.max(last.peakMiB, opened.usage?.().peakMiB ?? 0);
    return { runs, outcomes: outcomes.size, slowestMs, busyMs, peakMiB, digest: digest.digest('hex').slice(0, 12) };
  } finally {
    await opened.close();
  }
}

function ownUsage(): Usage {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { busyMs: (userCPUTime + systemCPUTime) / 1000, peakMiB: maxRSS / 1024 };
}
