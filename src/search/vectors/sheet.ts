import { innerProduct, type ScannerKind } from './scan.ts';
import { startKernel } from './start-kernel.ts';

/** Rows of int8 components that are written one by one, and of which some are compared with others. */
export interface Sheet {
  readonly kind: ScannerKind;
  readonly rows: Int8Array;
  /** Inverse of the length of each row, by which an inner product becomes a cosine. */
  readonly inverses: Float32Array;
  /** Numbers of rows, of which `nearest` compares the first ones. */
  readonly list: Int32Array;
  /** Takes the numbers of the rows that all others are compared with from now on. */
  ask(asked: Int32Array): void;
  /**
   * The cosine of the nearest of the first rows in `list` to each asked one, 0 for one that nothing is near to. The answer is only valid until
   * the next call.
   */
  nearest(count: number): Float32Array;
}

/** Most rows of a sheet, of its list, and of those that are asked about. */
export interface SheetSize {
  readonly rows: number;
  readonly list: number;
  readonly asked: number;
}

/**
 * Creates a sheet that uses the SIMD kernel where the engine has it. An engine's memories are few: one sheet is kept
 * and used again, not made for each question. The dimensions are a multiple of 16.
 */
export function createSheet(size: SheetSize, dimensions: number): Sheet {
  return createSimdSheet(size, dimensions) ?? createPlainSheet(size, dimensions);
}

/**
 * Each kind by its name, for tests that compare them. `undefined` where this engine does not have it.
 *
 * @internal
 */
export const sheetKinds: Readonly<Record<ScannerKind, (size: SheetSize, dimensions: number) => Sheet | undefined>> = {
  simd: createSimdSheet,
  plain: createPlainSheet,
};

/** Number of asked rows, and of their components, that the kernel reads one after another. */
const [lanes, stretch] = [4, 8];

function createSimdSheet(size: SheetSize, dimensions: number): Sheet | undefined {
  const most = Math.ceil(size.asked / lanes) * lanes;
  const numbers = size.rows * (2 + most) + size.list + most;
  const host = startKernel((size.rows + 2 * most) * dimensions + numbers * 4);
  if (host === undefined) return undefined;
  const { buffer } = host;
  const rows = new Int8Array(buffer, 0, size.rows * dimensions);
  const others = new Int16Array(buffer, rows.length, most * dimensions);
  let end = others.byteOffset + others.byteLength;
  const take = <T>(Numbers: new (buffer: ArrayBuffer, from: number, length: number) => T, length: number): T => {
    const from = end;
    end += length * 4;
    return new Numbers(buffer, from, length);
  };
  const inverses = take(Float32Array, size.rows);
  const slots = take(Int32Array, size.rows);
  const list = take(Int32Array, size.list);
  const best = take(Float32Array, most);
  const products = end;
  let asked = new Int32Array(0);
  let used = 0;
  /** Writes an asked row where the kernel reads four at a time. */
  const write = (row: number, at: number) => {
    const lane = at % lanes;
    const to = (at - lane) * dimensions + lane * stretch;
    for (let component = 0; component < dimensions; component++) {
      const within = component % stretch;
      others[to + (component - within) * lanes + within] = rows[row * dimensions + component] as number;
    }
  };
  return {
    kind: 'simd',
    rows,
    inverses,
    list,
    ask(given) {
      asked = given.slice();
      asked.forEach(write);
      slots.fill(0);
      used = 0;
    },
    nearest(count) {
      best.fill(0);
      if (count > 0 && asked.length > 0) {
        used = host.nearest(
          list.byteOffset,
          count,
          others.byteOffset,
          Math.ceil(asked.length / lanes) * lanes,
          inverses.byteOffset,
          slots.byteOffset,
          products,
          best.byteOffset,
          used,
          dimensions,
        );
      }
      return withLengths(best, asked, inverses);
    },
  };
}

function createPlainSheet(size: SheetSize, dimensions: number): Sheet {
  const rows = new Int8Array(size.rows * dimensions);
  const inverses = new Float32Array(size.rows);
  const list = new Int32Array(size.list);
  const best = new Float32Array(size.asked);
  let others = new Int32Array(0);
  /** Products of each row with all that is asked about. */
  const known = new Map<number, Float32Array>();
  const compare = (row: number) =>
    Float32Array.from(
      others,
      (other) => innerProduct(rows, row * dimensions, rows, other * dimensions, dimensions) * (inverses[row] as number),
    );
  return {
    kind: 'plain',
    rows,
    inverses,
    list,
    ask(asked) {
      others = asked.slice();
      known.clear();
    },
    nearest(count) {
      best.fill(0);
      for (const row of list.subarray(0, count)) {
        const products = known.get(row) ?? compare(row);
        known.set(row, products);
        products.forEach((product, at) => {
          best[at] = Math.max(best[at] as number, product);
        });
      }
      return withLengths(best, others, inverses);
    },
  };
}

/** Divides what was found for each asked row by the length of that. */
function withLengths(best: Float32Array, asked: Int32Array, inverses: Float32Array): Float32Array {
  for (let at = 0; at < asked.length; at++) best[at] = (best[at] as number) * (inverses[asked[at] as number] as number);
  return best.subarray(0, asked.length);
}
