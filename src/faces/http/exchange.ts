import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Logger, withFacts } from '../../core/log.ts';

/** One request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Its name means nothing: who was asked stands in the `Host` header, which was checked. */
  readonly url: URL;
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** Names the exchange in every log line and, as `X-Request-Id`, to the client. */
  readonly id: string;
  /** When it came in, on the clock of `performance.now()`. */
  readonly startedAt: number;
  /** Adds the id to every line. */
  readonly log: Logger;
  /** Does one of many pieces of work when it is its turn: others come in between. Not done once the client has gone. */
  turn(work: () => Promise<void>): Promise<void>;
  /** Set by `refuse`, for the log. */
  refusal: Refusal | undefined;
}

export interface Refusal {
  readonly message: string;
  /** The address of the client, which is forgotten when its connection closes. */
  readonly from: string | undefined;
}

/** A part of a server that knows by itself who may ask: pages for people, who carry no token in a header. */
export interface Pages {
  /** Whether a path is one of its own. */
  owns(path: string): boolean;
  readonly serve: Route;
}

export type Route = (exchange: Exchange) => void | Promise<void>;

/** What all exchanges of a server have in common. */
export interface Common {
  readonly log: Logger;
  turn(socket: Socket, work: () => Promise<void>): Promise<void>;
}

/** A class, because every request makes one: what most never look at is then made for those that do, at no cost. */
export class OpenExchange implements Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly id: string;
  readonly startedAt = performance.now();
  readonly #common: Common;
  #url: URL | undefined;
  #log: Logger | undefined;
  refusal: Refusal | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, id: string, common: Common) {
    this.request = request;
    this.response = response;
    this.path = pathOf(request.url ?? '');
    this.id = id;
    this.#common = common;
  }

  get url(): URL {
    const { url = '' } = this.request;
    // Glued, so that `//name/path` is a path and not another name.
    this.#url ??= new URL(url.startsWith('/') ? `http://localhost${url}` : 'http://localhost/');
    return this.#url;
  }

  get log(): Logger {
    this.#log ??= withFacts(this.#common.log, { request: this.id });
    return this.#log;
  }

  turn(work: () => Promise<void>): Promise<void> {
    return this.#common.turn(this.request.socket, work);
  }
}

function pathOf(target: string): string {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}

/** What one client may cost. Every limit answers in clear words, or closes the connection when there is nobody to answer. */
export interface HttpLimits {
  /** All header lines together, the request line included. */
  readonly headerBytes: number;
  /** Node would drop the rest unread, and with it what the guards look for. */
  readonly headers: number;
  readonly urlLength: number;
  /** Open connections, of which a peer has a share. A client holds one for its stream and one or two for its calls. */
  readonly connections: number;
  /** Exchanges under way at once, streams included, of which a peer has a share: one more is refused. */
  readonly exchanges: number;
  /** Requests that wait on their connection behind another one: so many on one connection, and so many in all. */
  readonly pipelined: number;
  readonly waiting: number;
  /** What all clients together have sent of requests under way, and not read of their answers. */
  readonly bufferBytes: number;
  /** How long an answer may go unread, without a byte of it being taken. Shorter than the pauses between signs of life on streams. */
  readonly stalledMs: number;
  /** From the first byte to the last header. */
  readonly headersMs: number;
  /** From the first byte of a request to its last. The answer may take, and stream, as long as it likes. */
  readonly requestMs: number;
  /** How long an unused connection stays open. Longer than the pools of common clients, so that they close first. */
  readonly idleMs: number;
  /** How often the two times above are looked at. */
  readonly checkMs: number;
}

export const defaultLimits: HttpLimits = {
  headerBytes: 16 * 1024,
  headers: 200,
  urlLength: 8 * 1024,
  connections: 2500,
  exchanges: 2000,
  pipelined: 100,
  waiting: 4000,
  bufferBytes: 32 * 1024 * 1024,
  stalledMs: 10_000,
  headersMs: 15_000,
  requestMs: 60_000,
  idleMs: 30_000,
  checkMs: 5000,
};
