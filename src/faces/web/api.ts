import { SkillError } from '../../core/errors.ts';
import { isObject } from '../../core/formats/documents.ts';
import type { Engine, Request } from '../../engine/engine.ts';
import { type InputOf, invoke, isRuled, type Operation } from '../../engine/operation.ts';
import { readInput } from '../../engine/read-input.ts';
import { takeBody } from '../http/answers.ts';
import type { Exchange, Route } from '../http/exchange.ts';
import { hasScope, type Scope } from '../http/identity.ts';
import { answerWith, Refusal } from './answers.ts';
import { callerOf } from './caller.ts';
import type { Live } from './events.ts';
import { fileHeaders } from './headers.ts';
import { type Given, givenInQuery } from './input.ts';
import {
  cancelFields,
  type Exposed,
  fieldsOf,
  isForReaders,
  methodOf,
  type OperationName,
  operationNames,
  operations,
} from './operations.ts';
import type { Runs } from './run.ts';
import type { ConsoleMode } from './shapes.ts';
import { forReaders, isReader } from './withheld.ts';

export interface ApiOptions {
  readonly engine: Engine;
  readonly mode: ConsoleMode;
  readonly live: Live;
}

export interface ApiRoute {
  /** Whether it reveals nothing of skills, and so is open to anyone whom the guards admit. */
  readonly isOpen?: true;
  /** The scope that a person who has signed in needs; `skills:read` if omitted. */
  readonly scope?: Scope;
  readonly answer: Route;
}

/** A route that is no operation, or one that is handled specially. */
interface Special {
  readonly method: 'GET' | 'POST';
  /** Whether it tells what only those who may act may see. */
  readonly isPrivate?: true;
  readonly route: ApiRoute;
}

export interface Api {
  /** The route of a request; throws where there is none. */
  routeOf(exchange: Exchange): Promise<ApiRoute>;
  /** The operations that a caller is answered: the page offers these, and no others. */
  offeredTo(exchange: Exchange): Promise<readonly OperationName[]>;
  /** Reads the values in a body of JSON; null where the client is gone. */
  bodyOf(exchange: Exchange, limit?: number): Promise<Given | null>;
}

/** Bytes of the longest body: parameters of a tool. */
const bodyLimit = 4 * 1024 * 1024;

export function createApi({ engine, mode, live }: ApiOptions): Api {
  /** Runs that were started here and have not ended, by their keys. */
  const runs: Runs = new Map();

  /** Routes that are no operation, or one that is handled specially. */
  const special: Readonly<Record<string, Special>> = {
    '/api/openapi.json': {
      method: 'GET',
      route: { isOpen: true, answer: (exchange) => answerDescription(exchange, mode) },
    },
    '/api/events': {
      method: 'GET',
      route: { answer: (exchange) => live.listen(exchange) },
    },
    '/api/file': { method: 'GET', route: { answer: answerFile } },
    '/api/download': { method: 'GET', isPrivate: true, route: { scope: 'admin', answer: answerDownload } },
    '/api/run': { method: 'POST', route: { scope: 'skills:run', answer: answerRun } },
    '/api/cancel': { method: 'POST', route: { scope: 'skills:run', answer: answerCancel } },
  };

  async function routeOf({ path, request: { method = 'GET' } }: Exchange): Promise<ApiRoute> {
    const found = Object.hasOwn(special, path) ? special[path] : undefined;
    if (found !== undefined) {
      if (found.method === 'POST' || found.isPrivate) checkMode();
      checkMethod(method, found.method);
      return found.route;
    }
    const name = path.slice('/api/'.length);
    if (!Object.hasOwn(operations, name)) {
      throw new SkillError('not-found', 'there is no such operation', { hint: 'GET /api/openapi.json lists them.' });
    }
    const exposed: Exposed = operations[name as OperationName];
    const operation = await exposed.load();
    if (!isForReaders(operation, exposed)) checkMode();
    checkMethod(method, methodOf(operation, exposed));
    const scope = scopeOf(operation, exposed);
    return { scope, answer: (exchange) => answerOperation(exchange, operation, exposed) };
  }

  async function offeredTo(exchange: Exchange): Promise<readonly OperationName[]> {
    const ruled = isRuled(engine, callerOf(exchange));
    const isMember = engine.configuration.values.cluster !== undefined;
    const offered = await Promise.all(
      operationNames.map(async (name): Promise<boolean> => {
        const exposed: Exposed = operations[name];
        const operation = await exposed.load();
        if (exposed.ofCluster && !isMember) return false;
        if (mode !== 'full' && !isForReaders(operation, exposed)) return false;
        return hasScope(exchange.identity, scopeOf(operation, exposed)) && !(ruled && operation.right === undefined);
      }),
    );
    return operationNames.filter((_, at) => offered[at]);
  }

  /** Throws unless the console may act. */
  function checkMode(): void {
    if (mode === 'full') return;
    throw new Refusal('forbidden', 'this console is read-only', 'Start the server with --console full.');
  }

  async function answerOperation(exchange: Exchange, operation: Operation, exposed: Exposed): Promise<void> {
    const [given, form] =
      methodOf(operation, exposed) === 'GET'
        ? [givenInQuery(exchange.url.searchParams), byAddress]
        : [await bodyOf(exchange), byBody];
    if (given === null) return;
    const request = { ...form, ...callerOf(exchange) };
    const output = await invoke(engine, operation, allowed(operation, exposed, given, request), request);
    answerWith(exchange, isReader(exchange.identity, mode) ? forReaders(operation.name, output) : output);
    if (operation.effect !== 'reads') live.tell({ type: 'grants' });
  }

  async function answerRun(exchange: Exchange): Promise<void> {
    const given = await bodyOf(exchange);
    if (given === null) return;
    const { answerRunOf } = await import('./run.ts');
    const input = allowed(await operations.run.load(), operations.run, given, byBody);
    return answerRunOf(exchange, engine, input as never, runs);
  }

  async function answerCancel(exchange: Exchange): Promise<void> {
    const given = await bodyOf(exchange);
    if (given === null) return;
    const { key } = readInput(cancelFields, given, byBody);
    const { cancelRun } = await import('./run.ts');
    if (!(await cancelRun(engine, key, runs, { ...byBody, ...callerOf(exchange) }))) {
      throw new SkillError('not-found', 'no such run is in progress', { hint: 'It may just have ended.' });
    }
    answerWith(exchange, { cancelled: true });
  }

  async function answerFile(exchange: Exchange): Promise<void> {
    const { url, response } = exchange;
    const { picture } = await import('../../engine/operations/skills/read.ts');
    const asked = givenInQuery(url.searchParams) as InputOf<typeof picture>;
    const { mimeType, bytes } = await invoke(engine, picture, asked, { ...byAddress, ...callerOf(exchange) });
    response.writeHead(200, { ...fileHeaders, 'Content-Type': mimeType, 'Content-Length': bytes.length });
    response.end(bytes);
  }

  async function answerDownload(exchange: Exchange): Promise<void> {
    const { url, response } = exchange;
    const { download } = await import('../../engine/operations/running/output.ts');
    const asked = givenInQuery(url.searchParams) as InputOf<typeof download>;
    const { name, mimeType, bytes } = await invoke(engine, download, asked, { ...byAddress, ...callerOf(exchange) });
    response.writeHead(200, {
      ...fileHeaders,
      'Content-Type': mimeType,
      'Content-Length': bytes.length,
      'Content-Disposition': `${mimeType.startsWith('image/') ? 'inline' : 'attachment'}; filename="${name}"`,
    });
    response.end(bytes);
  }

  return { routeOf, offeredTo, bodyOf };
}

async function answerDescription(exchange: Exchange, mode: ConsoleMode): Promise<void> {
  const { describeApi } = await import('./openapi.ts');
  answerWith(exchange, await describeApi(mode));
}

/** The scope that an operation needs: what changes the machine is for those who run it, unless it says otherwise. */
function scopeOf({ effect }: Operation, { isPrivate, scope }: Exposed): Scope {
  if (scope !== undefined) return scope;
  if (effect === 'executes') return 'skills:run';
  return effect === 'acts' || isPrivate ? 'admin' : 'skills:read';
}

/** Requests of the console: in an address every value is a text, in a body each is of the type that is described. */
const byAddress: Request = { origin: 'console', form: 'words' };
export const byBody: Request = { origin: 'console' };

/** The input of an operation: the values that may be set here, and those that are fixed. */
function allowed(operation: Operation, exposed: Exposed, given: Given, request: Request): Given {
  readInput(fieldsOf(operation, exposed), given, request);
  return { ...given, ...exposed.fixed };
}

export function checkMethod(given: string | undefined, wanted: 'GET' | 'POST'): void {
  if (given === wanted) return;
  throw new Refusal('method', `${given} is not allowed here`, `Use ${wanted}.`, { Allow: wanted });
}

/**
 * Reads a JSON body. A plain form, which any page can send, has no such type: a page that sends it needs a preflight
 * first.
 */
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
  return value;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
