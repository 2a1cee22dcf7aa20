import { setTimeout as pause } from 'node:timers/promises';
import { SkillError } from '../../core/errors.ts';
import { isObject } from '../../core/formats/documents.ts';
import { cut } from '../../core/text/text.ts';
import type { Endpoint } from './endpoint.ts';

/** The outcome of a request. */
export type Reply =
  | { readonly kind: 'answer'; readonly body: Buffer }
  | { readonly kind: 'status'; readonly status: number; readonly code?: string; readonly waitMs?: number }
  | { readonly kind: 'silent'; readonly ms: number }
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'oversized'; readonly bytes: number };

/** Limits on retries, waiting and the size of an answer. */
export interface RequestLimits {
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
export async function post(endpoint: Endpoint, texts: readonly string[], limits: RequestLimits): Promise<Reply> {
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
export function failureOf(reply: Failure, endpoint: Endpoint): SkillError {
  const { what, hint } = explanationOf(reply, endpoint);
  return serviceError(endpoint, what, hint);
}

/** The error for an answer that cannot be used. */
export function answerError(endpoint: Endpoint, problem: string): SkillError {
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
export function mayTakeLess(reply: Failure, texts: number): boolean {
  if (reply.kind === 'silent') return texts > 16;
  return reply.kind === 'status' && refusals.includes(reply.status);
}
