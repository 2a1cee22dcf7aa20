import { type Kernel, startKernel } from './start-kernel.ts';

/** Rows of 4-bit components somewhere in a file: two in a byte, the even one in its lower half, both 8 too large. */
export interface PackedRows {
  readonly kind: PackedKind;
  /** The file, which stays in this memory from now on. */
  readonly file: Buffer;
  /** Adds the row that begins at a place of the file to the current sum; each component is multiplied by its worth. */
  add(place: number, worth: number): void;
  /** Returns the sum of all rows added since the last call. */
  take(): Float32Array;
}

export type PackedKind = 'simd' | 'plain';

/** Creates rows that use the SIMD kernel where the engine has it. The dimensions are a multiple of 16. */
export function packedRows(file: Buffer, dimensions: number): PackedRows {
  return createSimdRows(file, dimensions) ?? createPlainRows(file, dimensions);
}

/**
 * Each kind by its name, for callers that must choose one. `undefined` where this engine does not have it.
 *
 * @internal
 */
export const packedKinds: Readonly<Record<PackedKind, (file: Buffer, dimensions: number) => PackedRows | undefined>> = {
  simd: createSimdRows,
  plain: createPlainRows,
};

/** Number of rows that are gathered before they are added. */
const mostRows = 1024;
/** Bytes of the place of a row and its worth, as the kernel reads them. */
const entryBytes = 8;
/** Components in eight bytes: the even ones alone, and all with as many odd ones behind them. */
const [halfPart, part] = [8, 16];

/** Dimensions of a row at most. Behind the file lie the list of rows and the sums of that number of components. */
const mostDimensions = 4096;
const behindBytes = mostRows * entryBytes + mostDimensions * 4;

/** Kernels by the memory that was given away for a file. */
const started = new WeakMap<ArrayBufferLike, Kernel>();

/**
 * Allocates memory for a file of at most `bytes`, in which its rows need not be copied to be added up fast. What is not
 * used of it costs nothing. `undefined` where this engine has no such memory.
 */
export function roomForRows(bytes: number): Buffer | undefined {
  const host = startKernel(bytes + behindBytes);
  if (host === undefined) return undefined;
  started.set(host.buffer, host);
  return Buffer.from(host.buffer, 0, bytes);
}

function createSimdRows(given: Buffer, dimensions: number): PackedRows | undefined {
  if (!(dimensions > 0 && dimensions % part === 0 && dimensions <= mostDimensions)) return undefined;
  const own = given.byteOffset === 0 ? started.get(given.buffer) : undefined;
  const host = own ?? startKernel(given.length + behindBytes);
  if (host === undefined) return undefined;
  const { buffer } = host;
  const listAt = buffer.byteLength - behindBytes; // whole pages, and so aligned
  const sumsAt = listAt + mostRows * entryBytes;
  const file = Buffer.from(buffer, 0, given.length);
  if (own === undefined) file.set(given);
  const places = new Int32Array(buffer, listAt, mostRows * 2);
  const worths = new Float32Array(buffer, listAt, mostRows * 2);
  const sums = new Float32Array(buffer, sumsAt, dimensions);
  let count = 0;
  const addAll = () => {
    host.add(listAt, count, sumsAt, dimensions / 2);
    count = 0;
  };
  return {
    kind: 'simd',
    file,
    add(place, worth) {
      if (count === mostRows) addAll();
      places[count * 2] = place;
      worths[count * 2 + 1] = worth;
      count++;
    },
    take() {
      addAll();
      const sum = new Float32Array(dimensions);
      for (let at = 0; at < dimensions; at++) {
        const within = at % part;
        sum[at] = sums[at - within + (within >> 1) + (within & 1) * halfPart] as number;
      }
      sums.fill(0);
      return sum;
    },
  };
}

/** Lookup tables of the two values in a byte: quicker than taking it apart. */
const lower = Float32Array.from({ length: 256 }, (_, pair) => (pair & 15) - 8);
const upper = Float32Array.from({ length: 256 }, (_, pair) => (pair >> 4) - 8);

function createPlainRows(file: Buffer, dimensions: number): PackedRows {
  let sum = new Float32Array(dimensions);
  return {
    kind: 'plain',
    file,
    add(place, given) {
      const worth = Math.fround(given);
      let from = place;
      for (let at = 0; at < dimensions; at += 2) {
        const pair = file[from++] as number;
        sum[at] = (sum[at] as number) + Math.fround((lower[pair] as number) * worth);
        sum[at + 1] = (sum[at + 1] as number) + Math.fround((upper[pair] as number) * worth);
      }
    },
    take() {
      const taken = sum;
      sum = new Float32Array(dimensions);
      return taken;
    },
  };
}
