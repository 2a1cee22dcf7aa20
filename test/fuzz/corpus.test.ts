import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { fuzz } from './loop.ts';
import { mutated, randomFrom } from './mutate.ts';
import { targets } from './targets.ts';
import { Entries, type Tree } from './tree.ts';

const corpus = fileURLToPath(new URL('corpus/', import.meta.url));

const inputsOf = (name: string): readonly Buffer[] =>
  readdirSync(`${corpus}${name}`)
    .sort()
    .map((file) => readFileSync(`${corpus}${name}/${file}`));

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

const shaped = Object.entries(targets).flatMap(([name, { shape }]) => (shape === undefined ? [] : [{ name, shape }]));

/** TOML has tables last. */
function inOrder(tree: Tree | undefined): unknown {
  if (!(tree instanceof Entries)) return Array.isArray(tree) ? tree.map(inOrder) : tree;
  return tree.entries
    .map(([name, value]) => [name, inOrder(value)])
    .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
}

it.each(shaped)('what is read of an input says the same when it is written: $name', ({ name, shape }) => {
  const read = inputsOf(name).map((input) => shape.read(input));
  const trees = read.filter((tree) => tree !== undefined);
  expect(trees.length).toBeGreaterThanOrEqual(5);
  for (const tree of trees) expect(inOrder(shape.read(shape.write(tree)))).toEqual(inOrder(tree));
});

it.each(['manifest', 'config', 'plugins', 'wasm'])(
  'changes of what an input says get past how it is written more often than changes of bytes: %s',
  (name) => {
    const shape = targets[name]?.shape;
    const material = { pool: inputsOf(name), words: [Buffer.from('x')] };
    const share = (by: typeof shape): number => {
      const random = randomFrom(1);
      const inputs = Array.from({ length: 400 }, () => mutated(random, { ...material, shape: by }));
      return inputs.filter((input) => shape?.read(input) !== undefined).length / inputs.length;
    };
    expect(share(shape)).toBeGreaterThan(2 * share(undefined));
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
