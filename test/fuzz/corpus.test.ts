import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { fuzz } from './loop.ts';
import { mutated, randomFrom } from './mutate.ts';
import { targets } from './targets.ts';

const corpus = fileURLToPath(new URL('corpus/', import.meta.url));

it.each(Object.keys(targets))('every input that was found to matter is read soundly: %s', async (name) => {
  const target = targets[name];
  const files = readdirSync(`${corpus}${name}`).sort();
  expect(files.length).toBeGreaterThanOrEqual(5);
  const opened = await target?.open();
  try {
    for (const file of files) {
      const outcome = opened?.check(readFileSync(`${corpus}${name}/${file}`));
      await expect(outcome, file).resolves.toBeTypeOf('string');
    }
  } finally {
    await opened?.close();
  }
});

it('has a corpus for each target, and a target for each corpus', () => {
  expect(readdirSync(corpus).sort()).toEqual(Object.keys(targets).sort());
});

const steady = Object.entries(targets).filter(([, { isSteady }]) => isSteady);

it.each(steady)(
  'the same seed gives the same inputs, and what comes of them leads to the same ones: %s',
  async (name, target) => {
    const run = {
      corpus: `${corpus}${name}`,
      seed: 1,
      longestMs: Number.POSITIVE_INFINITY,
      goesOn: (runs: number) => runs < 60,
    };
    const [once, again] = [await fuzz(target, run), await fuzz(target, run)];
    expect(again.digest).toBe(once.digest);
    expect(again.outcomes).toBe(once.outcomes);
    expect((await fuzz(target, { ...run, seed: 2 })).digest).not.toBe(once.digest);
  },
);

it('makes the same inputs of the same seed', () => {
  const material = { pool: [Buffer.from('---\nname: a\n---\n')], words: [Buffer.from('---')] };
  const inputs = (seed: number): string[] => {
    const random = randomFrom(seed);
    return Array.from({ length: 200 }, () => mutated(random, material).toString('hex'));
  };
  expect(inputs(7)).toEqual(inputs(7));
  expect(inputs(7)).not.toEqual(inputs(8));
  expect(new Set(inputs(7)).size).toBeGreaterThan(150);
});
