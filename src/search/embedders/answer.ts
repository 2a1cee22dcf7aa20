import { isObject } from '../../core/formats/documents.ts';
import { normalised } from '../model/embed.ts';

/** The embeddings in an answer, in the order of the texts; or what is wrong with it. */
export type Vectors =
  | { readonly vectors: readonly Float32Array[]; readonly dimensions: number }
  | { readonly problem: string };

const mostDimensions = 16_384;
/** Components that the vector scan takes at a time: dimensions are padded to a multiple of this. */
const block = 16;

/** Reads `{data: [{index, embedding}, …]}`. */
export function vectorsIn(body: Buffer, count: number): Vectors {
  const data = dataIn(body);
  if (data === undefined) return { problem: 'it is not JSON with a list called data' };
  if (data.length !== count) return { problem: `${data.length} embeddings for ${count} texts` };
  const vectors: (Float32Array | undefined)[] = new Array(count).fill(undefined);
  for (const [position, entry] of data.entries()) {
    // Some services leave out an index of zero; others leave out all of them and keep the order.
    const { index = position, embedding } = isObject(entry) ? entry : {};
    const vector = numbersOf(embedding);
    if (vector === undefined) return { problem: 'an embedding is not a list of finite numbers' };
    if (typeof index !== 'number' || !(index in vectors) || vectors[index] !== undefined) {
      return { problem: 'the indexes are not those of the texts' };
    }
    vectors[index] = vector;
  }
  return evened(vectors as Float32Array[]);
}

function dataIn(body: Buffer): readonly unknown[] | undefined {
  try {
    const answer: unknown = JSON.parse(body.toString('utf8'));
    const data = isObject(answer) ? answer['data'] : undefined;
    return Array.isArray(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Pads and normalises embeddings to length 1; a problem if their dimensions differ or are too many for the scan. */
function evened(vectors: readonly Float32Array[]): Vectors {
  const dimensions = vectors[0]?.length ?? 0;
  if (dimensions === 0 || dimensions > mostDimensions) {
    return { problem: `an embedding has ${dimensions} dimensions, not 1 to ${mostDimensions}` };
  }
  if (vectors.some(({ length }) => length !== dimensions)) return { problem: 'the embeddings differ in dimensions' };
  return { vectors: vectors.map((vector) => normalised(padded(vector))), dimensions };
}

function padded(vector: Float32Array): Float32Array {
  const whole = new Float32Array(Math.ceil(vector.length / block) * block);
  whole.set(vector);
  return whole;
}

/**
 * Reads an embedding, a list of numbers or the base64 of little-endian ones; undefined unless all are finite, in 32
 * bits too.
 */
function numbersOf(embedding: unknown): Float32Array | undefined {
  const numbers = typeof embedding === 'string' ? decoded(embedding) : listed(embedding);
  return numbers?.every(Number.isFinite) ? numbers : undefined;
}

function listed(embedding: unknown): Float32Array | undefined {
  if (!Array.isArray(embedding) || !embedding.every((value) => typeof value === 'number')) return undefined;
  return Float32Array.from(embedding);
}

function decoded(text: string): Float32Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length % 4 !== 0) return undefined;
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}
