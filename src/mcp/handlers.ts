import type { RequestMethod, RequestTypeMap, Result, Server, ServerContext } from '@modelcontextprotocol/server';
import { type Logger, withFacts } from '../kernel/log.ts';
import type { Era } from './era.ts';
import { protocolError } from './errors.ts';
import { requestIdHeader } from './request-id.ts';

type Params<M extends RequestMethod> = NonNullable<RequestTypeMap[M]['params']>;

/** Where handlers are registered. What goes wrong in one becomes an error of the protocol, and is logged. */
export interface Handlers {
  /** A method of the specification; its parameters come checked. */
  standard<M extends RequestMethod>(
    method: M,
    handle: (params: Params<M>, log: OwnLog, context: ServerContext) => Handled,
  ): void;
  /** A method of an extension, or of our own; its parameters come as they were sent. */
  custom(method: string, handle: (params: Readonly<Record<string, unknown>>) => Handled): void;
}

type Handled = Promise<object> | object;

/** The log of one request, made when there is something to say. */
export type OwnLog = () => Logger;

/** Everything here may change at any time, and says so when it does: nobody should keep it without asking again. */
const notCached = { ttlMs: 0, cacheScope: 'private' } as const;

export function handlersOf(server: Server, era: Era, log: Logger): Handlers {
  let requests = 0;
  return {
    standard(method, handle) {
      server.setRequestHandler(method, (async (request: { params?: object }, context: ServerContext) => {
        const { params = {} } = request;
        return attempt(method, params, context, (own) => handle(params as never, own, context));
      }) as never);
    },
    custom(method, handle) {
      // The newer era wants to know how long each result holds, from extensions as well.
      const kept = era === 'modern' ? notCached : {};
      server.setRequestHandler(method, { params: anything }, (async (params: object = {}, context: ServerContext) =>
        attempt(method, params, context, async () => ({ ...(await handle(params as never)), ...kept }))) as never);
    },
  };

  async function attempt(
    method: string,
    params: object,
    { http }: ServerContext,
    run: (log: OwnLog) => Handled,
  ): Promise<Result> {
    const number = ++requests;
    // Over HTTP the client has been told how the log calls its request.
    const own = (): Logger => withFacts(log, { request: http?.req?.headers.get(requestIdHeader) ?? `r${number}` });
    try {
      return (await run(own)) as Result;
    } catch (error) {
      throw protocolError(error, own(), method, params);
    }
  }
}

/** A schema that takes everything: what is sent to an extension's method is checked where it is used. */
const anything = {
  '~standard': { version: 1, vendor: 'repertoire', validate: (value: unknown) => ({ value }) },
} as const;
