import { startKernel } from './start-kernel.ts';

/** Compares queries with rows of int8 components, one row after another, `dimensions` components each. */
export interface Scanner {
  readonly kind: ScannerKind;
  readonly rows: number;
  /** The inner product of the query with every row, in their order. The answer is only valid until the next scan. */
  scan(query: Int8Array): Int32Array;
  /** A copy of one row. */
  row(index: number): Int8Array;
}

export type ScannerKind = 'simd' | 'plain';

/**
 * Creates a scanner that uses the SIMD kernel where the engine has it. The dimensions are a multiple of 16. The rows
 * are the scanner's from here on: one kind copies them and the other does not, so that changing them would change the
 * answers of one only.
 */
export function createScanner(rows: Int8Array, dimensions: number): Scanner {
  return createSimdScanner(rows, dimensions) ?? createPlainScanner(rows, dimensions);
}

/**
 * Each kind by its name, for tests that compare them. `undefined` where this engine does not have it.
 *
 * @internal
 */
export const scannerKinds: Readonly<Record<ScannerKind, (rows: Int8Array, dimensions: number) => Scanner | undefined>> =
  { simd: createSimdScanner, plain: createPlainScanner };

function createSimdScanner(given: Int8Array, dimensions: number): Scanner | undefined {
  const count = countOf(given, dimensions);
  const host = startKernel(given.length + dimensions * 2 + count * 4);
  if (host === undefined) return undefined;
  // The rows, behind them the query, behind it the results: each is aligned, as a row has a multiple of 16 bytes.
  const { buffer, scan } = host;
  const rows = new Int8Array(buffer, 0, given.length);
  rows.set(given);
  const question = new Int16Array(buffer, rows.length, dimensions);
  const results = new Int32Array(buffer, question.byteOffset + question.byteLength, count);
  return {
    kind: 'simd',
    rows: count,
    scan(query) {
      checkQuery(query, dimensions);
      question.set(query);
      scan(question.byteOffset, results.byteOffset, count, dimensions);
      return results;
    },
    row: (index) => rowAt(rows, dimensions, index),
  };
}

function createPlainScanner(rows: Int8Array, dimensions: number): Scanner {
  const count = countOf(rows, dimensions);
  const results = new Int32Array(count);
  return {
    kind: 'plain',
    rows: count,
    scan(query) {
      checkQuery(query, dimensions);
      for (let row = 0; row < count; row++) results[row] = innerProduct(query, 0, rows, row * dimensions, dimensions);
      return results;
    },
    row: (index) => rowAt(rows, dimensions, index),
  };
}

/** The inner product, four components in a turn and whole numbers throughout (`| 0`): together they halve the time. */
export function innerProduct(
  left: Int8Array,
  from: number,
  right: Int8Array,
  start: number,
  dimensions: number,
): number {
  let sum = 0;
  for (let i = from, at = start; i < from + dimensions; i += 4, at += 4) {
    sum =
      (sum +
        (left[i] as number) * (right[at] as number) +
        (left[i + 1] as number) * (right[at + 1] as number) +
        (left[i + 2] as number) * (right[at + 2] as number) +
        (left[i + 3] as number) * (right[at + 3] as number)) |
      0;
  }
  return sum;
}

function countOf(rows: Int8Array, dimensions: number): number {
  if (!(dimensions > 0 && dimensions % 16 === 0)) throw new RangeError(`${dimensions} is not a multiple of 16`);
  if (rows.length % dimensions !== 0) throw new RangeError(`${rows.length} are not rows of ${dimensions}`);
  return rows.length / dimensions;
}

function checkQuery(query: Int8Array, dimensions: number): void {
  if (query.length !== dimensions) throw new RangeError(`A query of ${query.length} for rows of ${dimensions}`);
}

function rowAt(rows: Int8Array, dimensions: number, index: number): Int8Array {
  const start = index * dimensions;
  if (!(Number.isInteger(index) && start >= 0 && start < rows.length)) throw new RangeError(`There is no row ${index}`);
  return rows.slice(start, start + dimensions);
}
