import { version } from '../../core/version.ts';
import type { VisitStore } from '../../engine/cluster/visits.ts';
import type { Engine } from '../../engine/engine.ts';
import { readInput } from '../../engine/read-input.ts';
import { endWith } from '../http/access.ts';
import { refuse, rpcCodes } from '../http/answers.ts';
import type { Exchange, Pages } from '../http/exchange.ts';
import { hasScope, type Scope, scopes } from '../http/identity.ts';
import type { SignIn } from '../http/sign-in.ts';
import { type Access, createAccess } from './access.ts';
import { answerError, answerWith, Refusal } from './answers.ts';
import { byBody, checkMethod, createApi } from './api.ts';
import { createLive } from './events.ts';
import { sessionFields } from './operations.ts';
import type { ConsoleMode, SessionState } from './shapes.ts';
import { signInRoute } from './sign-in.ts';
import { answerAsset, readAssets } from './static.ts';
import { modeFor } from './withheld.ts';

export interface ConsoleOptions {
  readonly engine: Engine;
  readonly mode: ConsoleMode;
  /** The server's own token, which opens the console too. */
  readonly serverToken: string | undefined;
  /** The way to sign in at an authorization server, where there is one. */
  readonly signIn?: SignIn | undefined;
  /** The visits that other servers continue, where there are such. */
  readonly shared?: VisitStore | undefined;
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

export function createConsole({ engine, mode, serverToken, signIn, shared }: ConsoleOptions): Console {
  const assets = readAssets();
  const access = createAccess(serverToken, shared);
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
      const signing = signInRoute(signIn, access, exchange);
      if (signing !== undefined) return await signing(exchange);
      const route = await api.routeOf(exchange);
      if (!route.isOpen) await admit(exchange, access, route.scope);
      return await route.answer(exchange);
    } catch (error) {
      answerError(exchange, error);
    }
  }

  async function answerSession(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    const state = async (signedIn: boolean): Promise<SessionState> => ({
      ...{ signedIn, mode: modeFor(exchange.identity, mode), version: version() },
      may: signedIn ? await api.offeredTo(exchange) : [],
      ...{ subject: exchange.identity?.subject ?? null, signsIn: signIn !== undefined },
      home: signedIn ? engine.environment.home : null,
    });
    if (request.method === 'GET')
      return answerWith(exchange, await state((await access.problemWith(exchange)) === null));
    checkMethod(request.method, 'POST');
    const given = await api.bodyOf(exchange, longestToken);
    if (given === null) return;
    const { token } = readInput(sessionFields, given, byBody);
    const cookie = await access.letIn(token, exchange);
    if (cookie === null) {
      const hint = 'Open the link that the server printed at its last start, or give the token of the server.';
      throw new Refusal('unauthorized', 'this token is not valid, or no longer valid', hint);
    }
    answerWith(exchange, await state(true), { 'Set-Cookie': cookie });
  }

  return {
    owns: (path) => assets.has(path) || path.startsWith('/api/'),
    serve,
    path: `/#token=${access.token}`,
    pathOnce: () => `/#token=${access.pass()}`,
    close: () => live.close(),
  };
}

async function admit(exchange: Exchange, access: Access, scope: Scope = 'skills:read'): Promise<void> {
  const problem = await access.problemWith(exchange);
  const { identity } = exchange;
  if (problem === null && identity !== undefined) endWith(exchange, identity);
  if (problem === null && hasScope(identity, scope)) return;
  if (problem === null) {
    const message = `you do not have the scope ${scope}, which is needed here`;
    throw new Refusal('forbidden', message, `Ask for it where accounts are managed: it lets you ${scopes[scope]}.`);
  }
  if (problem === 'other-page') {
    throw new Refusal('forbidden', 'cross-origin requests are not allowed', 'Open the console by its own address.');
  }
  throw new Refusal('unauthorized', 'not signed in', 'Open the link that the server printed, or send its token.');
}
