import { gramBytes } from './grams.ts';
import { keyBytes } from './key.ts';

/** Version of the layout: an index of another one is rebuilt. */
export const layoutVersion = 1;
const magic = 0x58495052; // "RPIX"
const alignment = 16;

/** Sections of a segment, in order. */
const sections = [
  'keys',
  'scales',
  'vectors',
  'grams',
  'termStarts',
  'marks',
  'postingStarts',
  'terms',
  'postings',
] as const;
export type Section = (typeof sections)[number];
export type Parts = Readonly<Record<Section, Uint8Array>>;

export interface Counts {
  readonly documents: number;
  readonly terms: number;
  readonly dimensions: number;
}

const headerWords = 5 + sections.length;
const headerBytes = Math.ceil((headerWords * 4) / alignment) * alignment;

/** Packs the parts of a segment one after another, in memory that threads can share. */
export function pack(counts: Counts, parts: Parts): Uint8Array {
  const sizes = sections.map((section) => parts[section].length);
  const total = sizes.reduce((sum, size) => sum + aligned(size), headerBytes);
  const bytes = new Uint8Array(new SharedArrayBuffer(total));
  const header = [magic, layoutVersion, counts.documents, counts.terms, counts.dimensions, ...sizes];
  new Uint32Array(bytes.buffer, 0, headerWords).set(header);
  let at = headerBytes;
  for (const section of sections) {
    bytes.set(parts[section], at);
    at += aligned(parts[section].length);
  }
  return bytes;
}

/** Finds the parts in the bytes; throws if they cannot be what was packed. */
export function unpack(bytes: Uint8Array): Counts & { readonly parts: Parts } {
  if (bytes.length < headerBytes || bytes.byteOffset % alignment !== 0) throw new Error('too short');
  const header = new Uint32Array(bytes.buffer, bytes.byteOffset, headerWords);
  const [sign, version, documents, terms, dimensions, ...sizes] = header as unknown as [
    number,
    number,
    number,
    number,
    number,
    ...number[],
  ];
  if (sign !== magic || version !== layoutVersion) throw new Error('of another layout');
  let at = headerBytes;
  const found = sections.map((section, index) => {
    const size = sizes[index] as number;
    const part = bytes.subarray(at, at + size);
    if (part.length !== size) throw new Error('cut short');
    at += aligned(size);
    return [section, part] as const;
  });
  const parts = Object.fromEntries(found) as Record<Section, Uint8Array>;
  const expected = { keys: keyBytes, scales: 4, vectors: dimensions, grams: gramBytes };
  for (const [section, size] of Object.entries(expected) as [Section, number][]) {
    if (parts[section].length !== documents * size) throw new Error('inconsistent');
  }
  if (parts.marks.length !== terms * 4 || parts.termStarts.length !== (terms + 1) * 4) throw new Error('inconsistent');
  if (parts.postingStarts.length !== (terms + 1) * 4) throw new Error('inconsistent');
  return { documents, terms, dimensions, parts };
}

function aligned(size: number): number {
  return Math.ceil(size / alignment) * alignment;
}
