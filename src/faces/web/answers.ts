import { gzipSync } from 'node:zlib';
import { type ErrorCode, reasonOf, SkillError, stackOf } from '../../core/errors.ts';
import { answerJson } from '../http/answers.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ErrorBody } from './shapes.ts';

/**
 * Headers of every answer of the console: a page may load resources from here, run no inline script, and be in no
 * frame.
 */
export const pageHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types repertoire',
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
} as const;

/** Headers for a file of a skill, which is third-party: whatever it is, it may do nothing at all. */
export const fileHeaders = {
  ...pageHeaders,
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
} as const;

type Headers = Parameters<typeof answerJson>[3];

/** HTTP status of each failure. */
export const statusOf = {
  usage: 400,
  'invalid-name': 400,
  config: 400,
  unauthorized: 401,
  denied: 403,
  forbidden: 403,
  'not-found': 404,
  method: 405,
  ambiguous: 409,
  conflict: 409,
  'too-large': 413,
  'too-many': 429,
  unreadable: 422,
  unwritable: 500,
  internal: 500,
  unavailable: 503,
  busy: 503,
} as const satisfies Readonly<Record<ErrorCode, number>> & Readonly<Record<string, number>>;

/**
 * Bytes from and up to which answers are compressed: shorter ones gain nothing, and much longer ones would keep others
 * waiting.
 */
const [packedFrom, packedTo] = [1_400, 1_000_000];

export function answerWith(exchange: Exchange, value: unknown, headers: Headers = {}): void {
  const { request, response } = exchange;
  const json = JSON.stringify(value);
  const isPacked = json.length >= packedFrom && json.length <= packedTo && takesGzip(request);
  if (!isPacked) {
    answerJson(exchange, 200, json, { ...pageHeaders, ...headers });
    return;
  }
  const bytes = gzipSync(json, { level: 3 });
  const type = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', 'Content-Length': bytes.length };
  response.writeHead(200, { ...pageHeaders, ...type, 'Cache-Control': 'no-store', ...headers });
  response.end(bytes);
}

export function takesGzip({ headers }: Exchange['request']): boolean {
  return /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
}

/** Answers with an error, as far as it concerns the client. */
export function answerError(exchange: Exchange, error: unknown): void {
  if (exchange.response.headersSent) return;
  const body = bodyOf(error);
  if (body.error.code === 'internal') exchange.log.error('a request failed', { error: stackOf(error) });
  const status = statusOf[body.error.code];
  const headers = error instanceof Refusal ? error.headers : status === 503 ? { 'Retry-After': '5' } : {};
  answerJson(exchange, status, JSON.stringify(body), { ...pageHeaders, ...headers });
}

export function bodyOf(error: unknown): ErrorBody {
  if (error instanceof Refusal) return { error: errorBody(error.code, error.message, error.hint) };
  if (!(error instanceof SkillError))
    return { error: errorBody('internal', `internal error: ${reasonOf(error)}`, null) };
  const { code, message, hint, suggestions, candidates } = error;
  return { error: { ...errorBody(code, message, hint ?? null), suggestions, candidates } };
}

function errorBody(code: ErrorCode | Refusal['code'] | 'internal', message: string, hint: string | null) {
  return { code, message, hint, suggestions: [], candidates: [] };
}

/** A refusal of a client that is not let in, or of a request that nobody may make. */
export class Refusal extends Error {
  readonly code: 'unauthorized' | 'forbidden' | 'method' | 'too-large' | 'too-many';
  readonly hint: string;
  readonly headers: Headers;

  constructor(code: Refusal['code'], message: string, hint: string, headers: Headers = {}) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.hint = hint;
    this.headers = headers;
  }
}
