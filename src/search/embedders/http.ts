import type { SkillError } from '../../core/errors.ts';
import { isObject } from '../../core/formats/documents.ts';
import { type EmbeddedParts, normalised, proseOf, spokenName } from '../model/embed.ts';
import { type Embedder, embedderId, type HttpEmbedderChoice } from './embedder.ts';
import { type Endpoint, endpointOf } from './endpoint.ts';
import { answerError, failureOf, mayTakeLess, post, type RequestLimits } from './post.ts';

/** Limits by kind of request: a person waits for a query, and an index for skills. */
export interface HttpLimits {
  readonly query: RequestLimits;
  readonly skills: RequestLimits;
}

const common = { tries: 3, pauseMs: 500, longestPauseMs: 10_000, answerBytes: 64 * 1024 * 1024 } as const;
export const usualLimits: HttpLimits = {
  query: { ...common, tryMs: 5_000, totalMs: 5_000 },
  skills: { ...common, tryMs: 30_000, totalMs: Number.POSITIVE_INFINITY },
};

/** Bytes that a text is cut to: a token is a byte at least, so a model that takes 8,192 tokens takes every text. */
const textBytes = 8_000;

/** Creates an embedder that asks a service which speaks the OpenAI format. */
export function createHttpEmbedder(choice: HttpEmbedderChoice, limits: HttpLimits = usualLimits): Embedder {
  const ask = createAsking(endpointOf(choice));
  const embedBatches = createBatches((texts) => ask(texts, limits.skills));
  let before: Promise<unknown> = Promise.resolve();
  return {
    id: embedderId(choice),
    isNear: false,
    async query(text) {
      const [vector] = await embedAll([cutTo(text, textBytes)], (texts) => ask(texts, limits.query));
      return vector as Float32Array;
    },
    async skills(skills) {
      // One call after the other: together they would have more requests under way than a service is meant to get.
      const mine = before.then(async () => embedBatches(skills.map(textOf)));
      before = mine.catch(() => undefined);
      return mine;
    },
  };
}

/**
 * Sends requests, and holds the service to the dimensions of its first answer: vectors of different ones cannot be
 * compared.
 */
function createAsking(endpoint: Endpoint): (texts: readonly string[], limits: RequestLimits) => Promise<Asked> {
  let known: number | undefined;
  return async (texts, limits) => {
    const reply = await post(endpoint, texts, limits);
    if (reply.kind !== 'answer') {
      return { kind: 'failed', error: failureOf(reply, endpoint), mayTakeLess: mayTakeLess(reply, texts.length) };
    }
    const found = vectorsIn(reply.body, texts.length);
    if ('problem' in found) return unusable(endpoint, found.problem);
    known ??= found.dimensions;
    if (found.dimensions !== known) return unusable(endpoint, `${found.dimensions} dimensions after ${known}`);
    return { kind: 'embedded', vectors: found.vectors };
  };
}

function unusable(endpoint: Endpoint, problem: string): Asked {
  return { kind: 'failed', error: answerError(endpoint, problem), mayTakeLess: false };
}

/** The text of a skill that a model is given to embed. */
function textOf({ name, description, body, tools = '' }: EmbeddedParts): string {
  const parts = [spokenName(name), description, ...(tools === '' ? [] : [spokenName(tools)]), proseOf(body)];
  return cutTo(parts.join('\n'), textBytes);
}

/** Bytes below which a text is not shortened further: if it is still refused, it is for another reason. */
const leastBytes = 1000;

/** The first bytes of a text, up to the end of a character; without the lone surrogates that JSON cannot carry. */
function cutTo(text: string, bytes: number): string {
  const all = Buffer.from(text.slice(0, bytes), 'utf8');
  let end = Math.min(bytes, all.length);
  while (end > 0 && ((all[end] ?? 0) & 0xc0) === 0x80) end--;
  return all.toString('utf8', 0, end);
}

/** Splits a request in two: half as many texts each, or half of the only one. Null if it cannot be made smaller. */
function inHalves(texts: readonly string[]): readonly (readonly string[])[] | null {
  if (texts.length > 1) {
    const middle = Math.ceil(texts.length / 2);
    return [texts.slice(0, middle), texts.slice(middle)];
  }
  const [text = ''] = texts;
  const bytes = Buffer.byteLength(text);
  return bytes > leastBytes ? [[cutTo(text, Math.ceil(bytes / 2))]] : null;
}

/** The outcome of asking for the embeddings of some texts. */
type Asked =
  | { readonly kind: 'embedded'; readonly vectors: readonly Float32Array[] }
  | { readonly kind: 'failed'; readonly error: SkillError; readonly mayTakeLess: boolean };

type Ask = (texts: readonly string[]) => Promise<Asked>;

const most = 64;
const least = 8;
const lanes = 2;

/** Embeds texts in batches as large as the service takes, with two requests under way. */
function createBatches(ask: Ask): (texts: readonly string[]) => Promise<Float32Array[]> {
  // Batch sizes are learnt from what the service refuses: services differ in how many texts they take, and do not say
  // so.
  let size = most;
  const learn = (taken: number): void => {
    size = Math.max(least, Math.min(size, taken));
  };
  return async (texts) => {
    const vectors: Float32Array[] = new Array(texts.length);
    let next = 0;
    async function lane(): Promise<void> {
      while (next < texts.length) {
        const from = next;
        const batch = texts.slice(from, from + size);
        next += batch.length;
        const found = await embedAll(batch, ask, learn);
        for (const [at, vector] of found.entries()) vectors[from + at] = vector;
      }
    }
    const giveUp = (error: unknown): never => {
      next = texts.length; // the other lane ends with what it has under way
      throw error;
    };
    const ends = await Promise.allSettled(Array.from({ length: lanes }, () => lane().catch(giveUp)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return vectors;
  };
}

/** Embeds all texts, asking for half of them at a time where they are too much at once. */
async function embedAll(
  texts: readonly string[],
  ask: Ask,
  learn: (taken: number) => void = () => {},
): Promise<readonly Float32Array[]> {
  const whole = await ask(texts);
  if (whole.kind === 'embedded') return whole.vectors;
  const parts = whole.mayTakeLess ? inHalves(texts) : null;
  if (parts === null) throw whole.error;
  let refused = 0;
  const counting: Ask = async (part) => {
    const asked = await ask(part);
    if (asked.kind === 'failed') refused++;
    return asked;
  };
  const found: Float32Array[] = [];
  for (const part of parts) found.push(...(await embedAll(part, counting, learn)));
  // Nothing is learnt where a half was refused too: it may have been one long text, and not their number.
  if (refused === 0 && parts.length > 1) learn(parts[0]?.length ?? least);
  return found;
}

/** The embeddings in an answer, in the order of the texts; or what is wrong with it. */
type Vectors =
  | { readonly vectors: readonly Float32Array[]; readonly dimensions: number }
  | { readonly problem: string };

const mostDimensions = 16_384;
/** Components that the vector scan takes at a time: dimensions are padded to a multiple of this. */
const block = 16;

/** Reads `{data: [{index, embedding}, …]}`. */
function vectorsIn(body: Buffer, count: number): Vectors {
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
