import { noteActivity } from '../engine/activity/note.ts';
import type { Engine } from '../engine/engine.ts';
import type { Operation } from '../engine/operation.ts';
import { takeBody } from '../http/answers.ts';
import type { Exchange, Route } from '../http/exchange.ts';
import { isObject } from '../kernel/documents.ts';
import { SkillError } from '../kernel/errors.ts';
import { answerWith, Refusal } from './answers.ts';
import type { Live } from './events.ts';
import { type Given, givenInQuery, readInput, unsaid } from './input.ts';
import { cancelFields, type Exposed, fieldsOf, type OperationName, type OutputOf, operations } from './operations.ts';
import type { ConsoleMode } from './shapes.ts';
import { forReaders } from './withheld.ts';

/** Tells what people do here, beside what agents do. */
type NoteUse = (name: string, output: unknown, durationMs: number) => void;

/** Who types is asked for after every letter, and means the last. */
const typingMs = 1500;
const againMs = 10 * 60 * 1000;
const mostSeen = 10_000;

function createNotes(engine: Engine): NoteUse {
  let typing: NodeJS.Timeout | undefined;
  const seen = new Map<string, number>();
  /** A page that is open looks again and again. */
  const isNews = (what: string): boolean => {
    const now = Date.now();
    const before = seen.get(what) ?? Number.NEGATIVE_INFINITY;
    if (seen.size >= mostSeen) seen.clear();
    seen.set(what, now);
    return now - before > againMs;
  };
  const noted: Readonly<Record<string, (output: never, durationMs: number) => void>> = {
    search({ query, results }: OutputOf<'search'>, durationMs) {
      clearTimeout(typing);
      const note = (): void =>
        noteActivity(engine, { what: 'searched', client: 'console', detail: query, hits: results.length, durationMs });
      typing = setTimeout(note, typingMs).unref();
    },
    inspect({ skill }: OutputOf<'inspect'>, durationMs) {
      if (!isNews(skill.id)) return;
      noteActivity(engine, { what: 'loaded', client: 'console', skill: skill.fullName, durationMs });
    },
    read({ skill, path }: OutputOf<'read'>, durationMs) {
      if (!isNews(`${skill} ${path}`)) return;
      noteActivity(engine, { what: 'loaded', client: 'console', skill, detail: path, durationMs });
    },
  };
  return (name, output, durationMs) => noted[name]?.(output as never, durationMs);
}

export interface ApiOptions {
  readonly engine: Engine;
  readonly mode: ConsoleMode;
  readonly live: Live;
  readonly check: () => Promise<void>;
}

export interface ApiRoute {
  /** Whether it tells nothing of skills, and so may be asked by anyone who may ask at all. */
  readonly isOpen?: true;
  readonly answer: Route;
}

export interface Api {
  /** What is to be done for a request; throws where there is nothing. */
  routeOf(exchange: Exchange): ApiRoute;
  /** The values in a body of JSON; null where whoever asked is gone. */
  bodyOf(exchange: Exchange, limit?: number): Promise<Given | null>;
}

/** The most that anyone has to say: parameters of a tool. */
const bodyLimit = 4 * 1024 * 1024;

export function createApi({ engine, mode, live, check }: ApiOptions): Api {
  const note = createNotes(engine);
  /** The runs that were started here and have not ended, by their keys. */
  const runs = new Map<string, AbortController>();

  /** What is no operation, or is one with something to it. */
  const special: Readonly<Record<string, { readonly method: 'GET' | 'POST'; readonly route: ApiRoute }>> = {
    '/api/openapi.json': {
      method: 'GET',
      route: { isOpen: true, answer: (exchange) => answerDescription(exchange, mode) },
    },
    '/api/events': { method: 'GET', route: { answer: (exchange) => live.listen(exchange) } },
    '/api/file': { method: 'GET', route: { answer: answerFile } },
    '/api/run': { method: 'POST', route: { answer: answerRun } },
    '/api/cancel': { method: 'POST', route: { answer: answerCancel } },
  };

  function routeOf({ path, request: { method = 'GET' } }: Exchange): ApiRoute {
    const found = Object.hasOwn(special, path) ? special[path] : undefined;
    if (found !== undefined) {
      if (found.method === 'POST') checkMode();
      checkMethod(method, found.method);
      return found.route;
    }
    const name = path.slice('/api/'.length);
    if (!Object.hasOwn(operations, name)) {
      throw new SkillError('not-found', 'there is no such operation', { hint: 'GET /api/openapi.json lists them.' });
    }
    const exposed: Exposed = operations[name as OperationName];
    if (exposed.effect === 'acts') checkMode();
    checkMethod(method, exposed.effect === 'reads' ? 'GET' : 'POST');
    return { answer: (exchange) => answerOperation(exchange, name, exposed) };
  }

  /** For what acts. */
  function checkMode(): void {
    if (mode === 'full') return;
    throw new Refusal('forbidden', 'this console is read-only', 'Start the server with --console full.');
  }

  async function answerOperation(exchange: Exchange, name: string, exposed: Exposed): Promise<void> {
    const given = exposed.effect === 'reads' ? givenInQuery(exchange.url.searchParams) : await bodyOf(exchange);
    if (given === null) return;
    const { operation, input } = await prepared(exposed, given);
    await check();
    const began = Date.now();
    const output = await operation.run(engine, input as never, { origin: 'console' });
    answerWith(exchange, mode === 'read' ? forReaders(name, output) : output);
    note(name, output, Date.now() - began);
    if (exposed.effect === 'acts') live.tell({ type: 'grants' });
  }

  async function answerRun(exchange: Exchange): Promise<void> {
    const given = await bodyOf(exchange);
    if (given === null) return;
    const { input } = await prepared(operations.run, given);
    const { answerRunOf } = await import('./run.ts');
    await check();
    return answerRunOf(exchange, engine, input as never, runs);
  }

  async function answerCancel(exchange: Exchange): Promise<void> {
    const given = await bodyOf(exchange);
    if (given === null) return;
    const { key } = readInput(cancelFields, given) as { key: string };
    const { cancelRun } = await import('./run.ts');
    if (!(await cancelRun(engine, key, runs))) {
      throw new SkillError('not-found', 'no such run is in progress', { hint: 'It may just have ended.' });
    }
    answerWith(exchange, { cancelled: true });
  }

  async function answerFile(exchange: Exchange): Promise<void> {
    const { sendFile } = await import('./file.ts');
    await check();
    return sendFile(exchange, engine);
  }

  return { routeOf, bodyOf };
}

async function answerDescription(exchange: Exchange, mode: ConsoleMode): Promise<void> {
  const { describeApi } = await import('./openapi.ts');
  answerWith(exchange, await describeApi(mode));
}

/** An operation with what it is asked to do, checked by its own fields. */
async function prepared(exposed: Exposed, given: Given): Promise<{ operation: Operation; input: object }> {
  const operation = await exposed.load();
  const input = readInput(fieldsOf(operation, exposed), given);
  return { operation, input: { ...unsaid(operation.fields), ...input, ...exposed.fixed } };
}

export function checkMethod(given: string | undefined, wanted: 'GET' | 'POST'): void {
  if (given === wanted) return;
  throw new Refusal('method', `${given} is not allowed here`, `Use ${wanted}.`, { Allow: wanted });
}

/** A plain form, which any page can send, has no such type: a page that sends it has asked its browser first. */
async function bodyOf(exchange: Exchange, limit = bodyLimit): Promise<Given | null> {
  const type = exchange.request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    throw new SkillError('usage', 'the body must be JSON', { hint: 'Send it as Content-Type: application/json.' });
  }
  const bytes = await takeBody(exchange, limit);
  if (bytes === null) return null;
  if (bytes === 'too-large') {
    throw new Refusal('too-large', 'the body is too large', `At most ${limit} bytes are read.`);
  }
  const value = parsed(bytes);
  if (!isObject(value)) throw new SkillError('usage', 'the body is not a JSON object');
  return new Map(Object.entries(value));
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
