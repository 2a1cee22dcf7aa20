import { version } from '../../core/version.ts';
import type { Engine } from '../../engine/engine.ts';
import { readInput } from '../../engine/read-input.ts';
import { refuse, rpcCodes } from '../http/answers.ts';
import type { Exchange, Pages } from '../http/exchange.ts';
import { type Access, createAccess } from './access.ts';
import { answerError, answerWith, Refusal } from './answers.ts';
import { byBody, checkMethod, createApi } from './api.ts';
import { createLive } from './events.ts';
import { sessionFields } from './operations.ts';
import type { ConsoleMode, SessionState } from './shapes.ts';
import { answerAsset, readAssets } from './static.ts';

export interface ConsoleOptions {
  readonly engine: Engine;
  readonly mode: ConsoleMode;
  /** The server's own token, which opens the console too. */
  readonly serverToken: string | undefined;
}

/** The console: the page for people, and the API behind it. */
export interface Console extends Pages {
  /** The path that opens the console, behind the address of the server. */
  readonly path: string;
  /** A path for one browser that is opened at once; it works a single time. */
  pathOnce(): string;
  close(): void;
}

/** Characters of the longest token; anyone may send one, and it must not take much to keep. */
const longestToken = 4096;

export function createConsole({ engine, mode, serverToken }: ConsoleOptions): Console {
  const assets = readAssets();
  const access = createAccess(serverToken);
  const live = createLive(engine, mode);
  const api = createApi({ engine, mode, live });

  async function serve(exchange: Exchange): Promise<void> {
    const { path, request } = exchange;
    const asset = assets.get(path);
    if (asset !== undefined) {
      if (request.method === 'GET' || request.method === 'HEAD') return answerAsset(exchange, asset);
      return refuse(exchange, 405, rpcCodes.refused, 'only GET and HEAD are allowed here', { Allow: 'GET, HEAD' });
    }
    try {
      if (path === '/api/session') return await answerSession(exchange);
      const route = await api.routeOf(exchange);
      if (!route.isOpen) admit(exchange, access);
      return await route.answer(exchange);
    } catch (error) {
      answerError(exchange, error);
    }
  }

  async function answerSession(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    const state = (signedIn: boolean): SessionState => ({ signedIn, mode, version: version() });
    if (request.method === 'GET') return answerWith(exchange, state(access.problemWith(request) === null));
    checkMethod(request.method, 'POST');
    const given = await api.bodyOf(exchange, longestToken);
    if (given === null) return;
    const { token } = readInput(sessionFields, given, byBody);
    if (!access.letsIn(token, request)) {
      const hint = 'Open the link that the server printed at its last start, or give the token of the server.';
      throw new Refusal('unauthorized', 'this token is not valid, or no longer valid', hint);
    }
    answerWith(exchange, state(true), { 'Set-Cookie': access.cookieFor(request) });
  }

  return {
    owns: (path) => assets.has(path) || path.startsWith('/api/'),
    serve,
    path: `/#token=${access.token}`,
    pathOnce: () => `/#token=${access.pass()}`,
    close: () => live.close(),
  };
}

function admit({ request, identity }: Exchange, access: Access): void {
  if (identity !== undefined) return; // each route has its scope
  const problem = access.problemWith(request);
  if (problem === null) return;
  if (problem === 'other-page') {
    throw new Refusal('forbidden', 'cross-origin requests are not allowed', 'Open the console by its own address.');
  }
  throw new Refusal('unauthorized', 'not signed in', 'Open the link that the server printed, or send its token.');
}
