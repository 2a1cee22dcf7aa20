import { isAt, writeText } from '../index/bytes.ts';
import { createNumbers } from '../text/numbers.ts';
import { beginsWithIdeograph } from '../text/runs.ts';
import { createWordTable } from '../text/word-table.ts';
import { packedRows } from '../vectors/packed.ts';
import { quantize } from '../vectors/quantize.ts';
import { eachToken, tokenOf } from './tokens.ts';

/** A static table of word embeddings: 4 bits a component, a scale a row, rows of hashed n-grams for unknown words. */
export interface Table {
  readonly dimensions: number;
  /** The sum of the embeddings of some tokens. */
  sumOf(tokens: Iterable<string>): Float32Array;
  /** The sum of the embeddings of the tokens of a text. */
  sumOfText(text: string): Float32Array;
  /** The place of a token among the words of the table, the commonest first; −1 for one that it does not know. */
  placeOf(token: string): number;
  /** The place of the token in the first bytes of a buffer: to try hundreds of spellings, no text is made of each. */
  placeOfBytes(bytes: Uint8Array, length: number): number;
  /** Writes the embedding of a token as int8 components; returns the worth of each, 0 if it stands for nothing. */
  write(token: string, into: Int8Array, at: number): number;
}

const magic = 0x31454b53;
const headerBytes = 32;
const [shortestGram, longestGram] = [3, 5];
const newline = 10;

/** Reads the table's layout, and builds the dictionary of its words. */
export function openTable(file: Buffer): Table {
  // Numbers are read in place, which requires an aligned start.
  const given = file.byteOffset % 4 === 0 ? file : Buffer.from(new Uint8Array(file).buffer);
  const [sign, version, words, buckets, dimensions, bits, textBytes] = new Uint32Array(
    given.buffer,
    given.byteOffset,
    headerBytes / 4,
  ) as unknown as [number, number, number, number, number, number, number];
  if (sign !== magic || version !== 1 || bits !== 4) throw new Error('not an embedding table of a known layout');
  const rows = words + buckets;
  const scalesAt = headerBytes + Math.ceil(textBytes / 16) * 16;
  const valuesAt = scalesAt + rows * 4;
  if (given.length !== valuesAt + (rows * dimensions) / 2) throw new Error('the embedding table is cut short');
  const packed = packedRows(given, dimensions);
  const { file: bytes } = packed;
  const scales = new Float32Array(bytes.buffer, bytes.byteOffset + scalesAt, rows);
  const { find, findBytes } = dictionaryOf(bytes.subarray(headerBytes, scalesAt), words);

  const addRow = (row: number, share: number) =>
    packed.add(valuesAt + (row * dimensions) / 2, (scales[row] as number) * share);

  /** The rows whose mean stands for a token: its own, or those of its n-grams. */
  const rowsOf = (token: string): number[] => {
    const row = find(token);
    if (row !== -1) return [row];
    const grams: number[] = [];
    if (beginsWithIdeograph(token)) return grams;
    const framed = `<${token}>`;
    for (let size = shortestGram; size <= longestGram; size++) {
      for (let at = 0; at + size <= framed.length; at++) grams.push(words + (hash(framed, at, size) % buckets));
    }
    return grams;
  };

  const sumOf = (tokens: Iterable<string>) => {
    for (const token of tokens) {
      const its = rowsOf(token);
      for (const row of its) addRow(row, 1 / its.length);
    }
    return packed.take();
  };

  let known = createWrittenWords(rowsOf);
  const sumOfText = (text: string) => {
    if (known.size > mostRemembered) known = createWrittenWords(rowsOf);
    eachToken(text, (units, from, to, isSigns) => known.eachRow(units, from, to, isSigns, addRow));
    return packed.take();
  };

  return {
    dimensions,
    sumOf,
    sumOfText,
    placeOf: find,
    placeOfBytes: findBytes,
    write(token, into, at) {
      const row = find(token);
      if (row === -1) return quantize(sumOf([token]), into, at);
      const from = valuesAt + (row * dimensions) / 2;
      for (let byte = 0; byte < dimensions / 2; byte++) {
        const pair = bytes[from + byte] as number;
        into[at + 2 * byte] = (pair & 15) - 8;
        into[at + 2 * byte + 1] = (pair >> 4) - 8;
      }
      return scales[row] as number;
    },
  };
}

/** Rows of written words that are remembered at most: those of some hundred thousand words. */
const mostRemembered = 1 << 20;

/** Remembers the rows of words as they are written: most words of a text stand in others too, and need not be cut out. */
function createWrittenWords(rowsOf: (token: string) => readonly number[]) {
  const words = createWordTable();
  const rows = createNumbers();
  const starts = createNumbers();
  starts.push(0);
  return {
    get size() {
      return rows.length;
    },
    eachRow(
      units: Uint16Array,
      from: number,
      to: number,
      isSigns: boolean,
      visit: (row: number, share: number) => void,
    ): void {
      const word = words.numberOf(units, from, to, isSigns ? 1 : 0);
      if (word === starts.length - 1) {
        for (const row of rowsOf(tokenOf(units, from, to, isSigns))) rows.push(row);
        starts.push(rows.length);
      }
      const { values } = rows;
      const [start, end] = [starts.values[word] as number, starts.values[word + 1] as number];
      for (let at = start; at < end; at++) visit(values[at] as number, 1 / (end - start));
    },
  };
}

/** Finds words by their bytes: a table of numbers is made in milliseconds, 56,000 strings are not. */
function dictionaryOf(text: Buffer, words: number) {
  const starts = new Uint32Array(words + 1);
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(words * 2))).fill(-1);
  const mask = slots.length - 1;
  let start = 0;
  for (let row = 0; row < words; row++) {
    const end = text.indexOf(newline, start);
    starts[row] = start;
    let slot = hashBytes(text, start, end) & mask;
    while (slots[slot] !== -1) slot = (slot + 1) & mask;
    slots[slot] = row;
    start = end + 1;
  }
  starts[words] = start;
  // One buffer for all lookups: the longest word of the table fits, and what does not is not in it.
  const sought = Buffer.alloc(256);
  const findBytes = (bytes: Uint8Array, length: number): number => {
    for (let slot = hashBytes(bytes, 0, length) & mask; slots[slot] !== -1; slot = (slot + 1) & mask) {
      const row = slots[slot] as number;
      if (isAt(text, starts[row] as number, (starts[row + 1] as number) - 1, bytes, length)) return row;
    }
    return -1;
  };
  const find = (word: string) => (word.length * 3 > sought.length ? -1 : findBytes(sought, writeText(sought, word)));
  return { find, findBytes };
}

function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let value = 0x811c9dc5;
  for (let at = from; at < to; at++) value = Math.imul(value ^ (bytes[at] as number), 0x01000193);
  return value >>> 0;
}

/** FNV-1a over some units of a string. */
function hash(text: string, from: number, length: number): number {
  let value = 0x811c9dc5;
  for (let at = from; at < from + length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
