import type { RequestMethod, RequestTypeMap, Result, Server, ServerContext } from '@modelcontextprotocol/server';
import { SkillError } from '../kernel/errors.ts';
import { type Logger, withFacts } from '../kernel/log.ts';
import { type Asker, createAsker } from './asking.ts';
import { capabilities } from './capabilities.ts';
import { CheckedServer } from './checked-server.ts';
import { clientNameOf } from './client-name.ts';
import type { Era } from './era.ts';
import { protocolError, toolFailure } from './errors.ts';
import { createNote, type Note, notedLoad, type OnFound } from './noting.ts';
import { keyIn } from './paging.ts';
import { createPrompts, type Prompts } from './prompts/prompts.ts';
import { requestIdHeader } from './request-id.ts';
import type { Service } from './service.ts';
import { createSkillResources, type SkillResources } from './skills/skill-resources.ts';
import { createAnswers } from './tools/answers.ts';
import { callTool } from './tools/call.ts';
import { listTools } from './tools/list.ts';
import type { Caller, ToolResult } from './tools/tool.ts';

/** Makes the server for one connection, or for one request where each stands alone. */
export type ServerFactory = (era: Era) => Server;

export interface ServerOptions {
  /** Where a client may end the server, as one that started it may. */
  readonly onShutdown?: () => void;
}

/** Wires what we serve to the methods of the protocol. */
export function createServerFactory(service: Service, { onShutdown }: ServerOptions = {}): ServerFactory {
  const skillResources = createSkillResources(service.engine, service, service.log);
  const prompts = createPrompts(service.engine, service, service.header);
  const asker = createAsker(service);
  const note = createNote(service);
  const call = toolCaller(service, note);
  return (era) => {
    const info = { name: service.name, version: service.version };
    const options = { capabilities, requestState: { verify: asker.verify } };
    const server = new CheckedServer(info, options, () => service.instructions());
    const on = handlersOf(server, era, service.log);
    on.standard('tools/list', async ({ cursor }) => {
      keyIn('tools', cursor);
      return { tools: listTools(service, (await service.listingText()).description) };
    });
    on.standard('tools/call', (params, log, context) => call(params, log, callerOf(server, era, asker, context)));
    const load: Load = (asked, context, read) =>
      notedLoad((noted) => note(noted, clientNameOf(server, context)), asked, read);
    serveShelf(on, skillResources, load);
    servePrompts(on, prompts, load);
    on.standard('completion/complete', ({ ref, argument }) => complete(ref, argument, skillResources, prompts));
    if (onShutdown !== undefined) {
      on.custom('shutdown', () => {
        onShutdown();
        return {};
      });
    }
    return server;
  };
}

/** Loads something, and notes for whom. */
type Load = <T>(asked: string, context: ServerContext, read: (onFound: OnFound) => Promise<T>) => Promise<T>;

function toolCaller(service: Service, note: Note) {
  const { engine, name: server, header, tools } = service;
  const common = {
    engine,
    server,
    header,
    answers: createAnswers(),
    note,
    check: (name?: string) => service.check(name),
  };
  return async (
    { name, arguments: given }: { name: string; arguments?: unknown },
    log: OwnLog,
    caller: Caller,
  ): Promise<ToolResult> => {
    const started = Date.now();
    const result = await callTool({ ...common, caller }, tools, name, given).catch((error: unknown) =>
      toolFailure(error, log(), name),
    );
    if (service.logsCalls) {
      log().debug('tools/call', { tool: name, failed: result.isError === true, ms: Date.now() - started });
    }
    return result;
  };
}

const firstWithAudio = '2025-03-26';

function callerOf(server: Server, era: Era, asker: Asker, context: ServerContext): Caller {
  const { signal, _meta, notify } = context.mcpReq;
  const token = _meta?.progressToken;
  const asking = asker.askingThrough(server, era, context);
  let progress = 0;
  return {
    client: clientNameOf(server, context),
    takesAudio: (server.getNegotiatedProtocolVersion() ?? firstWithAudio) >= firstWithAudio,
    signal,
    ...(token !== undefined && {
      progress(message) {
        const params = { progressToken: token, progress: ++progress, message };
        void notify({ method: 'notifications/progress', params }).catch(() => {}); // the client has gone
      },
    }),
    ...(asking !== undefined && { asking }),
  };
}

function serveShelf(on: Handlers, skillResources: SkillResources, load: Load): void {
  on.standard('resources/list', ({ cursor }) => skillResources.listResources(cursor));
  on.standard('resources/templates/list', ({ cursor }) => {
    keyIn('templates', cursor);
    return skillResources.listTemplates();
  });
  on.standard('resources/read', ({ uri }, _log, context) =>
    load(uri, context, (onFound) => skillResources.read(uri, onFound)),
  );
  on.custom('skills/list', (params) => skillResources.listSkills(optional(params, 'cursor')));
  on.custom('skills/get', async (params) => ({ skill: await skillResources.getSkill(needed(params, 'uri')) }));
  on.custom('resources/directory/read', (params) =>
    skillResources.readDirectory(needed(params, 'uri'), optional(params, 'cursor')),
  );
}

function servePrompts(on: Handlers, prompts: Prompts, load: Load): void {
  on.standard('prompts/list', ({ cursor }) => prompts.list(cursor));
  on.standard('prompts/get', ({ name, arguments: given }, _log, context) =>
    load(name, context, (onFound) => prompts.get(name, given ?? {}, onFound)),
  );
}

async function complete(
  ref: { type: string; name?: string; uri?: string },
  argument: { name: string; value: string },
  skillResources: SkillResources,
  prompts: Prompts,
): Promise<object> {
  const completion =
    ref.type === 'ref/prompt'
      ? await prompts.complete(ref.name ?? '', argument.name, argument.value)
      : await skillResources.completePath(argument.value);
  return { completion };
}

function optional(params: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = params[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new SkillError('usage', `\`${name}\` must be a string`);
}

function needed(params: Readonly<Record<string, unknown>>, name: string): string {
  const value = optional(params, name);
  if (value === undefined) throw new SkillError('usage', `\`${name}\` is required`);
  return value;
}

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
