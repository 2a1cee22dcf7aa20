import { setTimeout as pause } from 'node:timers/promises';
import { SkillError } from '../../core/errors.ts';
import { isObject } from '../../core/formats/documents.ts';
import { cut } from '../../core/text/text.ts';
import { type EmbeddedParts, normalised, proseOf, spokenName } from '../model/embed.ts';
import { type Embedder, embedderId, type HttpEmbedderChoice } from './embedder.ts';
import { type Endpoint, endpointOf } from './endpoint.ts';

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

/** The outcome of a request. */
type Reply =
  | { readonly kind: 'answer'; readonly body: Buffer }
  | { readonly kind: 'status'; readonly status: number; readonly code?: string; readonly waitMs?: number }
  | { readonly kind: 'silent'; readonly ms: number }
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'oversized'; readonly bytes: number };

/** Limits on retries, waiting and the size of an answer. */
interface RequestLimits {
  readonly tries: number;
  /** Milliseconds that one try may take. */
  readonly tryMs: number;
  /** Milliseconds that all tries may take together, with the pauses between them. */
  readonly totalMs: number;
  /** Milliseconds of the first pause; each further one is twice as long. */
  readonly pauseMs: number;
  /** Longest pause that a service may ask for; one that asks for more is not asked again. */
  readonly longestPauseMs: number;
  readonly answerBytes: number;
}

/** Posts the texts, and tries again where that may help. */
async function post(endpoint: Endpoint, texts: readonly string[], limits: RequestLimits): Promise<Reply> {
  const payload = JSON.stringify({ model: endpoint.model, input: texts, encoding_format: 'float' });
  const end = performance.now() + limits.totalMs;
  for (let tries = 1; ; tries++) {
    const left = Math.min(limits.tryMs, Math.max(1, Math.ceil(end - performance.now())));
    const reply = await postOnce(endpoint, payload, limits, left);
    const wait = pauseAfter(reply, limits.pauseMs * 2 ** (tries - 1));
    const isOver = wait === undefined || tries >= limits.tries || wait > limits.longestPauseMs;
    if (isOver || performance.now() + wait >= end) return reply;
    await pause(wait);
  }
}

/** Milliseconds to wait before the same request may fare better; undefined if it will not. */
function pauseAfter(reply: Reply, usual: number): number | undefined {
  if (reply.kind === 'unreachable') return usual;
  if (reply.kind !== 'status' || (reply.status !== 429 && reply.status < 500)) return undefined;
  return reply.waitMs ?? usual;
}

async function postOnce(
  { url, key }: Endpoint,
  body: string,
  { tryMs, answerBytes }: RequestLimits,
  left: number,
): Promise<Reply> {
  const signal = AbortSignal.timeout(left);
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...authorization };
  try {
    // Redirects are not followed: the key and the texts are meant for this address alone.
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    if (!response.ok) return await statusOf(response, `${key} ${body}`);
    const read = await bodyOf(response, answerBytes);
    return read === undefined ? { kind: 'oversized', bytes: answerBytes } : { kind: 'answer', body: read };
  } catch (error) {
    return signal.aborted ? { kind: 'silent', ms: tryMs } : { kind: 'unreachable', reason: codeOf(error) };
  }
}

/** Reads the whole body; undefined for one that is too long, which is not read to its end. */
async function bodyOf(response: Response, most: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

const complaintBytes = 64 * 1024;

async function statusOf(response: Response, sent: string): Promise<Reply> {
  const { status, headers } = response;
  const complaint = await bodyOf(response, complaintBytes);
  const code = complaint === undefined ? undefined : complaintIn(complaint, sent);
  const waitMs = waitIn(headers.get('retry-after'));
  return { kind: 'status', status, ...(code !== undefined && { code }), ...(waitMs !== undefined && { waitMs }) };
}

/**
 * The service's name for the problem, such as `context_length_exceeded`. Nothing else is passed on: the sentences of
 * services repeat texts and keys.
 */
function complaintIn(body: Buffer, sent: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(body.toString('utf8'));
    const error = isObject(answer) && isObject(answer['error']) ? answer['error'] : {};
    return [error['code'], error['type']].filter(isName).find((name) => !sent.includes(name));
  } catch {
    return undefined;
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 40 && /^[a-z]+(?:_[a-z]+)+$/.test(value);
}

/** Milliseconds to wait according to `Retry-After`, which holds seconds or a date. */
function waitIn(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+(?:\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The code of an error, `ECONNREFUSED` and the like; messages are left out, for they repeat what was sent. */
function codeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code: unknown = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code) ? code : 'the connection failed';
}

type Failure = Exclude<Reply, { readonly kind: 'answer' }>;

interface Explanation {
  readonly what: string;
  readonly hint: string;
}

/** Hint that every failure ends with: the way out. */
const wayOut = 'Without embeddings_url, search uses the built-in model.';

/** The error for a failed request. No cause is kept: those of requests hold what was sent. */
function failureOf(reply: Failure, endpoint: Endpoint): SkillError {
  const { what, hint } = explanationOf(reply, endpoint);
  return serviceError(endpoint, what, hint);
}

/** The error for an answer that cannot be used. */
function answerError(endpoint: Endpoint, problem: string): SkillError {
  const hint = 'Give the address of a service that speaks the OpenAI format, and a model for embeddings.';
  return serviceError(endpoint, `gave an answer that cannot be used: ${problem}`, hint);
}

function serviceError({ shown }: Endpoint, what: string, hint: string): SkillError {
  return new SkillError('unreadable', `the embeddings service at ${shown} ${what}`, { hint: `${hint} ${wayOut}` });
}

function explanationOf(reply: Failure, endpoint: Endpoint): Explanation {
  switch (reply.kind) {
    case 'silent':
      return { what: `gave no answer within ${reply.ms / 1000} s`, hint: 'Check whether it is overloaded.' };
    case 'unreachable':
      return { what: `cannot be reached (${reply.reason})`, hint: 'Start it, or correct embeddings_url.' };
    case 'oversized':
      return { what: `answered with more than ${reply.bytes} bytes`, hint: 'Check embeddings_url.' };
    case 'status': {
      const { what, hint } = statusExplanation(reply.status, endpoint);
      const code = reply.code === undefined ? '' : `, ${reply.code}`;
      return { what: `${what} (${reply.status}${code})`, hint };
    }
  }
}

const byStatus: Readonly<Record<number, (endpoint: Endpoint) => Explanation>> = {
  401: unauthorised,
  403: unauthorised,
  404: ({ model }) => ({
    what: `has no such path, or no model '${cut(model, 100)}'`,
    hint: 'Correct embeddings_url or embeddings_model, or have the service fetch the model.',
  }),
  429: () => ({ what: 'received too many requests', hint: 'Try again later.' }),
};

function statusExplanation(status: number, endpoint: Endpoint): Explanation {
  const known = byStatus[status];
  if (known !== undefined) return known(endpoint);
  if (status < 400) return { what: 'redirects elsewhere, where nothing is sent', hint: 'Give the final address.' };
  if (status >= 500) return { what: 'failed', hint: 'Check its log, or try again later.' };
  const hint = `Check whether '${cut(endpoint.model, 100)}' is an embedding model.`;
  return { what: 'refused the request', hint };
}

function unauthorised({ key }: Endpoint): Explanation {
  const variable = 'REPERTOIRE_EMBEDDINGS_KEY';
  return key === undefined
    ? { what: 'requires a key', hint: `Give one as ${variable}.` }
    : { what: 'does not accept the key', hint: `Give a valid one as ${variable}.` };
}

/** Statuses by which services turn away what is too much for them. */
const refusals: readonly number[] = [400, 413, 422, 500];

/** Tells whether fewer or shorter texts may fare better. A slow service is asked for less twice, then left alone. */
function mayTakeLess(reply: Failure, texts: number): boolean {
  if (reply.kind === 'silent') return texts > 16;
  return reply.kind === 'status' && refusals.includes(reply.status);
}
