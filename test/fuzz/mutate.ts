import { changedTree, type Shape, type Tree } from './tree.ts';

/** Numbers that look random and are the same for the same seed. */
export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, below);
  };
}

interface Material {
  readonly pool: readonly Buffer[];
  readonly words: readonly Buffer[];
  readonly shape?: Shape | undefined;
}

type Mutation = (input: Buffer, random: Random, material: Material) => Buffer;

const most = 64 * 1024;
const telling = [0x00, 0x01, 0x7f, 0x80, 0xc0, 0xe2, 0xed, 0xf0, 0xfe, 0xff, 0x0a, 0x0d, 0x20, 0x22, 0x27, 0x5c, 0x7b];

const mutations: readonly Mutation[] = [
  (input, random) => changed(input, random(input.length), (byte) => byte ^ (1 << random(8))),
  (input, random) => changed(input, random(input.length), () => telling[random(telling.length)] ?? 0),
  (input, random) => changed(input, random(input.length), (byte) => byte + random(9) - 4),
  (input, random) => put(input, random(input.length + 1), Buffer.of(random(256))),
  (input, random, { words }) => put(input, random(input.length + 1), words[random(words.length)] ?? Buffer.alloc(0)),
  (input, random, { words }) => put(input, random(input.length + 1), words[random(words.length)] ?? Buffer.alloc(0)),
  (input, random) => {
    const [from, to] = span(input, random);
    return Buffer.concat([input.subarray(0, from), input.subarray(to)]);
  },
  (input, random) => {
    const [from, to] = span(input, random);
    return put(input, random(input.length + 1), input.subarray(from, to));
  },
  (input, random) => {
    const [from, to] = span(input, random);
    const times = 2 ** random(random(8) === 0 ? 13 : 5);
    const room = Math.max(1, Math.floor((most - input.length) / Math.max(1, to - from)));
    return put(input, to, Buffer.concat(Array<Buffer>(Math.min(times, room)).fill(input.subarray(from, to))));
  },
  (input, random) => input.subarray(0, random(input.length + 1)),
  (input, random, { pool }) => {
    const other = pool[random(pool.length)] ?? input;
    return Buffer.concat([input.subarray(0, random(input.length + 1)), other.subarray(random(other.length + 1))]);
  },
  (input, random) => {
    const lines = input.toString('latin1').split('\n');
    const [one, other] = [random(lines.length), random(lines.length)];
    [lines[one], lines[other]] = [lines[other] ?? '', lines[one] ?? ''];
    return Buffer.from(lines.join('\n'), 'latin1');
  },
];

/** One of the pool, changed a few times over: mostly in what it says, where it has a shape, and else in its bytes. */
export function mutated(random: Random, material: Material): Buffer {
  const { pool, shape } = material;
  const any = (): Buffer => pool[random(pool.length)] ?? Buffer.alloc(0);
  for (let tries = shape === undefined || random(4) === 0 ? 0 : 4; tries > 0; tries--) {
    const reshaped = otherwise(any(), random, material);
    if (reshaped !== undefined) return withOtherBytes(reshaped, random(8) === 0 ? 1 : 0, random, material);
  }
  return withOtherBytes(any(), 1 + random(5), random, material);
}

function withOtherBytes(input: Buffer, times: number, random: Random, material: Material): Buffer {
  let bytes = input.subarray(0, most);
  for (let left = times; left > 0; left--) {
    const mutation = mutations[random(mutations.length)] as Mutation;
    bytes = mutation(bytes, random, material).subarray(0, most);
  }
  return Buffer.from(bytes);
}

/** Undefined where the input is not of the shape. */
function otherwise(input: Buffer, random: Random, { pool, words, shape }: Material): Buffer | undefined {
  const tree = shape && treeOf(input, shape);
  if (shape === undefined || tree === undefined) return;
  const others = [random(pool.length), random(pool.length)].map((at) => treeOf(pool[at] ?? input, shape));
  const trees = [tree, ...others].filter((other) => other !== undefined);
  return shape.write(changedTree(tree, random, { trees, words }));
}

const known = new WeakMap<Shape, WeakMap<Buffer, Tree | undefined>>();

function treeOf(input: Buffer, shape: Shape): Tree | undefined {
  const trees = known.get(shape) ?? new WeakMap<Buffer, Tree | undefined>();
  known.set(shape, trees);
  if (!trees.has(input)) trees.set(input, shape.read(input));
  return trees.get(input);
}

function changed(input: Buffer, at: number, change: (byte: number) => number): Buffer {
  const copy = Buffer.from(input);
  if (copy.length > 0) copy[at] = change(copy[at] ?? 0) & 0xff;
  return copy;
}

function put(input: Buffer, at: number, more: Buffer): Buffer {
  return Buffer.concat([input.subarray(0, at), more, input.subarray(at)]);
}

function span(input: Buffer, random: Random): [number, number] {
  const from = random(input.length);
  return [from, Math.min(input.length, from + 1 + random(random(4) === 0 ? input.length : 16))];
}
