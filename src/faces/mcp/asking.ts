import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Confirm } from '../../engine/engine.ts';
import { hasScope } from '../http/identity.ts';
import { identityOf } from './protocol/client-name.ts';
import type { Era } from './protocol/era.ts';
import type { Service } from './service.ts';
import { type ToolResult, Unanswered } from './tools/tool.ts';

/** Asks the people behind clients, in either era of the protocol. */
export interface Asker {
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
export function createAsker({ mayAsk }: Pick<Service, 'mayAsk'>): Asker {
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
