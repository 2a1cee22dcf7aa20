import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type Implementation,
  inputRequired,
  inputResponse,
  ProtocolError,
  type RequestMethod,
  type RequestTypeMap,
  type Result,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { type Logger, withFacts } from '../../core/log.ts';
import { type Fields, type GivenOf, object } from '../../core/schema/schema.ts';
import type { Confirm } from '../../engine/engine.ts';
import { invoke, type Operation, seenBy } from '../../engine/operation.ts';
import { hasScope, callerOf as whoIs } from '../http/identity.ts';
import { prompts } from './prompts/prompts.ts';
import { clientNameOf, identityOf, traceIn } from './protocol/caller.ts';
import { protocolError, toolFailure } from './protocol/errors.ts';
import { codes, type Era } from './protocol/messages.ts';
import { keyIn } from './protocol/paging.ts';
import type { Service } from './service.ts';
import { createSkillResources, templates } from './skills/skill-resources.ts';
import { capabilities } from './surface.ts';
import { checkArguments } from './tools/arguments.ts';
import { callTool } from './tools/call.ts';
import { listTools } from './tools/list.ts';
import { type Caller, type ToolResult, Unanswered } from './tools/tool.ts';

type Wrap = Server['_wrapHandler'];

/** Writes the instructions for the caller of a request. */
type Instructions = (context: Parameters<ReturnType<Wrap>>[1]) => Promise<string>;

/** Requests whose answers carry the instructions. */
const greetings = ['initialize', 'server/discover'];

/**
 * A server that corrects the library in two places. The library reports parameters that do not fit a method as a
 * failure of the server; they are a mistake of the client. And it wants the instructions when a server is made; ours
 * may not be known yet when a client asks for them.
 */
class CheckedServer extends Server {
  readonly #instructions: Instructions;

  constructor(info: Implementation, options: ServerOptions, instructions: Instructions) {
    super(info, options);
    this.#instructions = instructions;
  }

  protected override _wrapHandler(...[method, handler]: Parameters<Wrap>): ReturnType<Wrap> {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        const result = await wrapped(request, context);
        return greetings.includes(method) ? { ...result, instructions: await this.#instructions(context) } : result;
      } catch (error) {
        const issue = firstIssue(error);
        // Our own handlers throw protocol errors only, so that all others come from the check before them.
        if (error instanceof ProtocolError && issue === null) throw error;
        throw new ProtocolError(codes.invalidParams, `Invalid params for ${method}: ${issue ?? String(error)}`);
      }
    };
  }
}

interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The first of the issues that the check lists as JSON, in words; null where there is no such list. */
function firstIssue(error: unknown): string | null {
  const [, list] = /^(?:Invalid \S+ request: )?(\[.*\])$/s.exec(error instanceof Error ? error.message : '') ?? [];
  if (list === undefined) return null;
  try {
    const [{ path, message }] = JSON.parse(list) as [Issue];
    return `${path.slice(1).join('.') || 'params'}: ${message}`;
  } catch {
    return null;
  }
}

/** Makes the server for one connection, or for one request where each stands alone. */
export type ServerFactory = (era: Era) => Server;

interface FactoryOptions {
  /** Ends the server, where the client may: one that started it. */
  readonly onShutdown?: () => void;
}

/** Connects our operations to the methods of the protocol. */
export function createServerFactory(service: Service, { onShutdown }: FactoryOptions = {}): ServerFactory {
  const resources = createSkillResources(service.log);
  const asker = createAsker(service);
  const call = toolCaller(service);
  return (era) => {
    const info = { name: service.name, version: service.version };
    const options = { capabilities, requestState: { verify: asker.verify } };
    const server = new CheckedServer(info, options, async (context) =>
      (await textsFor(service, context)).instructions(),
    );
    const on = handlersOf(server, era, service.log);
    on.standard('tools/list', async ({ cursor }, _log, context) => {
      keyIn('tools', cursor);
      return { tools: listTools(service, await (await textsFor(service, context)).description()) };
    });
    on.standard('tools/call', (params, log, context) => call(params, log, callerOf(server, era, asker, context)));
    /** Answers a method by an operation, which is given the parameters of its own fields. */
    const by =
      <F extends Fields, O extends object>(operation: Operation<F, O>) =>
      (params: object, _log: OwnLog, context: ServerContext): Promise<O> => {
        const input = checkArguments(object(operation.input, undefined, { open: true }), params) as GivenOf<F>;
        return invoke(service.engine, operation, input, {
          origin: 'mcp',
          client: clientNameOf(server, context),
          ...whoIs(identityOf(context)),
          ...traceIn(context),
        });
      };
    on.standard('resources/list', by(resources.listResources));
    on.standard('resources/templates/list', ({ cursor }) => {
      keyIn('templates', cursor);
      return { resourceTemplates: templates };
    });
    on.standard('resources/read', by(resources.read));
    on.custom('skills/list', by(resources.listSkills));
    on.custom('skills/get', by(resources.getSkill));
    on.custom('resources/directory/read', by(resources.readDirectory));
    on.standard('prompts/list', by(prompts.list));
    on.standard('prompts/get', async (...call) => (await by(prompts.get)(...call)).prompt);
    on.standard('completion/complete', async ({ ref, argument: { name: argument, value } }, ...rest) => ({
      completion:
        ref.type === 'ref/prompt'
          ? await by(prompts.complete)({ name: ref.name, argument, value }, ...rest)
          : await by(resources.completePath)({ prefix: value }, ...rest),
    }));
    if (onShutdown !== undefined) {
      on.custom('shutdown', () => {
        onShutdown();
        return {};
      });
    }
    return server;
  };
}

/** The texts that a caller is shown: those of all skills, or of the ones that they may see. */
async function textsFor(service: Service, context: Pick<ServerContext, 'http'>) {
  const engine = await seenBy(service.engine, { origin: 'mcp', ...whoIs(identityOf(context)) });
  if (engine === service.engine) {
    return {
      instructions: () => service.instructions(),
      description: async () => (await service.listingText()).description,
    };
  }
  const { listingTextOf } = await import('./listing-text.ts');
  const { description, instructions } = listingTextOf(await engine.registry.snapshot(), service);
  return { instructions: async () => instructions, description: async () => description };
}

function toolCaller(service: Service) {
  return async (
    { name, arguments: given }: { name: string; arguments?: unknown },
    log: OwnLog,
    caller: Caller,
  ): Promise<ToolResult> => {
    const started = Date.now();
    const engine = await seenBy(service.engine, { origin: 'mcp', ...caller.who });
    const context = { engine, surface: service, caller };
    const result = await callTool(context, name, given).catch((error: unknown) => toolFailure(error, log(), name));
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
  const confirm = asker.askingThrough(server, era, context);
  let progress = 0;
  return {
    client: clientNameOf(server, context),
    who: whoIs(identityOf(context)),
    ...traceIn(context),
    takesAudio: (server.getNegotiatedProtocolVersion() ?? firstWithAudio) >= firstWithAudio,
    signal,
    ...(token !== undefined && {
      progress(message) {
        const params = { progressToken: token, progress: ++progress, message };
        void notify({ method: 'notifications/progress', params }).catch(() => {}); // the client has gone
      },
    }),
    ...(confirm !== undefined && { confirm }),
  };
}

type Params<M extends RequestMethod> = NonNullable<RequestTypeMap[M]['params']>;

/** Registers handlers. Errors thrown in one become protocol errors, and are logged. */
interface Handlers {
  /** Registers a method of the specification; its parameters come checked. */
  standard<M extends RequestMethod>(
    method: M,
    handle: (params: Params<M>, log: OwnLog, context: ServerContext) => Handled,
  ): void;
  /** Registers a method of an extension, or of our own; its parameters come as they were sent. */
  custom(
    method: string,
    handle: (params: Readonly<Record<string, unknown>>, log: OwnLog, context: ServerContext) => Handled,
  ): void;
}

type Handled = Promise<object> | object;

/** The log of one request, made when there is something to say. */
type OwnLog = () => Logger;

/** Cache hints of all results: everything here may change at any time, with a notification; nobody should cache it. */
const notCached = { ttlMs: 0, cacheScope: 'private' } as const;

function handlersOf(server: Server, era: Era, log: Logger): Handlers {
  let requests = 0;
  return {
    standard(method, handle) {
      server.setRequestHandler(method, (async (request: { params?: object }, context: ServerContext) => {
        const { params = {} } = request;
        return attempt(method, params, context, (own) => handle(params as never, own, context));
      }) as never);
    },
    custom(method, handle) {
      // The newer era wants to know how long each result holds, from extensions too.
      const kept = era === 'modern' ? notCached : {};
      server.setRequestHandler(method, { params: anything }, (async (params: object = {}, context: ServerContext) =>
        attempt(method, params, context, async (own) => ({
          ...(await handle(params as never, own, context)),
          ...kept,
        }))) as never);
    },
  };

  async function attempt(
    method: string,
    params: object,
    context: ServerContext,
    run: (log: OwnLog) => Handled,
  ): Promise<Result> {
    const number = ++requests;
    // Over HTTP the client has been given the id of its request in the log.
    const own = (): Logger => {
      const { requestId = `r${number}`, trace } = traceIn(context);
      return withFacts(log, { request: requestId, trace: trace?.traceId });
    };
    try {
      return (await run(own)) as Result;
    } catch (error) {
      throw protocolError(error, own(), method, params);
    }
  }
}

/** A schema that accepts everything: parameters of an extension's method are checked where they are used. */
const anything = {
  '~standard': { version: 1, vendor: 'repertoire', validate: (value: unknown) => ({ value }) },
} as const;

/** Asks the people behind clients, in either era of the protocol. */
interface Asker {
  /** Checks that the state sent back with an answer is the one that went out with the question. */
  readonly verify: (state: string, context: ServerContext) => Promise<unknown>;
  /** Returns a function that asks the person behind a request; undefined where they cannot, or must not, be asked. */
  askingThrough(server: Server, era: Era, context: ServerContext): Confirm | undefined;
}

/** The state that goes out with a question: what it was about. */
interface State {
  readonly about: string;
}

const key = 'allow';
/** Time a person has to answer. */
const answerTimeoutSeconds = 900;

/**
 * Creates the asker. Over stdio the person behind the client has started this very server, and may allow what its
 * skills ask for. Over HTTP anyone may be behind a client, so that nobody is asked unless the operator says so.
 */
function createAsker({ mayAsk }: Pick<Service, 'mayAsk'>): Asker {
  const codec = createRequestStateCodec<State>({ key: randomBytes(32), ttlSeconds: answerTimeoutSeconds });
  return {
    verify: (state, context) => codec.verify(state, context),
    askingThrough(server, era, context) {
      if (!mayAsk || !canElicit(server, context) || !hasScope(identityOf(context), 'skills:grant')) return undefined;
      if (era === 'legacy') return (message) => askNow(server, context, message);
      return async (message, about) => {
        const answer = answerTo(about, context);
        if (answer !== undefined) return answer;
        const asked = inputRequired({
          inputRequests: { [key]: inputRequired.elicit({ message, requestedSchema: schema }) },
          requestState: await codec.mint({ about }, context),
        });
        throw new Unanswered(asked as unknown as ToolResult);
      };
    },
  };
}

/** The answer to this very question; undefined where it was not asked yet. */
function answerTo(about: string, { mcpReq: { inputResponses, requestState } }: ServerContext): boolean | undefined {
  if (requestState<State>()?.about !== about) return undefined;
  if (inputResponse(inputResponses, key).kind !== 'elicit') return undefined;
  return answerIn(acceptedContent(inputResponses, key));
}

/** Asks while the call waits, as the older era does. */
async function askNow(server: Server, { mcpReq }: ServerContext, message: string): Promise<boolean> {
  try {
    const { action, content } = await server.request(
      { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: schema } },
      { relatedRequestId: mcpReq.id, signal: mcpReq.signal, timeout: answerTimeoutSeconds * 1000 },
    );
    return action === 'accept' && answerIn(content);
  } catch {
    return false; // a person who could not be asked has allowed nothing
  }
}

function answerIn(content: Readonly<Record<string, unknown>> | undefined): boolean {
  return content?.[key] === true;
}

const schema = {
  type: 'object' as const,
  properties: {
    allow: { type: 'boolean' as const, title: 'Allow', description: 'Allow what is listed', default: false },
  },
  required: ['allow'],
};

interface Elicits {
  readonly elicitation?: { readonly form?: object; readonly url?: object };
}

/** Whether the client can ask in the conversation; clients that only open pages cannot. */
function canElicit(server: Server, { mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const { elicitation } = (declared ?? {}) as Elicits;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
