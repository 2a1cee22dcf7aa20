import { isJSONRPCRequest, type Transport } from '@modelcontextprotocol/server';
import { isObject } from '../../../core/formats/documents.ts';
import type { AnswerStore } from '../../../engine/cluster/sessions.ts';
import { refuse } from '../../http/answers.ts';
import type { Exchange } from '../../http/exchange.ts';
import { codes, errorAnswer, type RequestId } from '../protocol/messages.ts';
import { cancel } from './leaving.ts';
import type { Naming } from './web.ts';

/**
 * Answers that clients have had a part of. One whose server dies after the first progress waits for the rest without end;
 * where that progress has an id, the protocol lets the client come back with it, to any server. Older clients come back
 * although they have the whole answer, and take an answer to nothing for a failure of the server: so progress alone is
 * given an id, and the servers of a cluster keep which answers were begun and not sent to their end.
 */
export interface PartialAnswers {
  /** The id for the first progress of an answer, if its client has asked for progress. */
  namingOf(exchange: Exchange, session: string, body: unknown): Naming | undefined;
  /** The request whose answer a client has come back for; undefined where it wants something else. */
  cameBackFor(exchange: Exchange): RequestId | undefined;
  /** Answers a client that has come back: that the answer is lost, or that there is nothing to wait for. */
  tell(exchange: Exchange, session: Returned, request: RequestId): Promise<void>;
}

/** The session that a client has come back in. */
interface Returned {
  readonly id: string;
  readonly transport: Transport;
}

const prefix = 'answer-to-';
const longestId = 200;

const message =
  'The connection was lost before this was answered, and the answer with it: whether it was done, and how much of it, is not known';

export function createPartialAnswers(store: AnswerStore): PartialAnswers {
  return {
    namingOf({ response }, session, body) {
      if (!isJSONRPCRequest(body) || !isObject(body.params?._meta)) return undefined;
      const name = nameOf(body.id);
      if (body.params._meta['progressToken'] === undefined || name.length > longestId) return undefined;
      return {
        id: prefix + name,
        begun() {
          const key = `${session}.${name}`;
          const kept = store.keep(key, { format: 1 });
          response.once('finish', () => void kept.then(() => store.forget(key)));
        },
      };
    },
    cameBackFor({ request: { method, headers } }) {
      const given = headers['last-event-id'];
      return method === 'GET' && typeof given === 'string' ? requestIn(given) : undefined;
    },
    async tell(exchange, { id, transport }, request) {
      const key = `${id}.${nameOf(request)}`;
      if ((await store.find(key)) === undefined) {
        // Clients take this for an end without a word, and any other answer for a failure.
        return refuse(exchange, 405, codes.refused, 'There is nothing left of this answer', { Allow: 'POST' });
      }
      await store.forget(key);
      cancel(transport, { jsonrpc: '2.0', id: request, method: '' });
      const { response } = exchange;
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache, no-transform' });
      const data = JSON.stringify(errorAnswer(request, codes.refused, message));
      response.end(`id: ${prefix}${nameOf(request)}\nevent: message\ndata: ${data}\n\n`);
    },
  };
}

/** The id of a request, as it can stand in a header and in a key. */
function nameOf(request: RequestId): string {
  return Buffer.from(JSON.stringify(request)).toString('base64url');
}

function requestIn(given: string): RequestId | undefined {
  if (!given.startsWith(prefix) || given.length > prefix.length + longestId) return undefined;
  try {
    const id: unknown = JSON.parse(Buffer.from(given.slice(prefix.length), 'base64url').toString('utf8'));
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  } catch {
    return undefined;
  }
}
