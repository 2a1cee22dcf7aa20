import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Logger, withFacts } from '../../core/log.ts';
import type { Client } from './clients.ts';
import type { Identity } from './identity.ts';

/** One request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The URL. Its host means nothing: the `Host` header says which was asked for, and was checked. */
  readonly url: URL;
  /** The path as it was sent, without the query; that of the server, which all others begin with, is left out. */
  readonly path: string;
  /** Whether the path as it was sent begins with that of the server. */
  readonly isWithin: boolean;
  readonly client: Client;
  /** The beginning of the paths of this server as its client writes them; empty for a server at `/`. */
  readonly base: string;
  /** Names the exchange in every log line and, as `X-Request-Id`, to the client. */
  readonly id: string;
  /** Time of arrival, on the clock of `performance.now()`. */
  readonly startedAt: number;
  /** Logs with the id added to every line. */
  readonly log: Logger;
  /** Does one of many pieces of work when its turn comes: others come in between. Skipped once the client has gone. */
  turn(work: () => Promise<void>): Promise<void>;
  /** Set by `refuse`, for the log. */
  refusal: Refusal | undefined;
  /** The caller, where an access token names one. */
  identity: Identity | undefined;
}

export interface Refusal {
  readonly message: string;
  /** The address of the client, which is forgotten when its connection closes. */
  readonly from: string | undefined;
}

/** A part of a server that does its own access control: pages for people, who carry no token in a header. */
export interface Pages {
  /** Whether a path is one of its own. */
  owns(path: string): boolean;
  readonly serve: Route;
}

export type Route = (exchange: Exchange) => void | Promise<void>;

/** Parts that all exchanges of a server share. */
export interface Common {
  readonly log: Logger;
  /** The path that all others begin with. */
  readonly basePath: string;
  clientOf(request: IncomingMessage): Client;
  turn(exchange: Exchange, work: () => Promise<void>): Promise<void>;
}

/**
 * An exchange whose rarely used parts are made on demand. A class, because every request makes one and this costs
 * nothing.
 */
export class OpenExchange implements Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly isWithin: boolean;
  readonly client: Client;
  readonly id: string;
  readonly startedAt = performance.now();
  readonly #common: Common;
  #url: URL | undefined;
  #log: Logger | undefined;
  refusal: Refusal | undefined;
  identity: Identity | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, id: string, common: Common) {
    this.request = request;
    this.response = response;
    const path = pathOf(request.url ?? '');
    this.isWithin = path.startsWith(`${common.basePath}/`);
    this.path = this.isWithin ? path.slice(common.basePath.length) : path;
    this.client = common.clientOf(request);
    this.id = id;
    this.#common = common;
  }

  get base(): string {
    return `${this.client.prefix}${this.#common.basePath}`;
  }

  get url(): URL {
    const { url = '' } = this.request;
    // Concatenated, so that `//name/path` is a path and not another host.
    this.#url ??= new URL(url.startsWith('/') ? `http://localhost${url}` : 'http://localhost/');
    return this.#url;
  }

  get log(): Logger {
    this.#log ??= withFacts(this.#common.log, { request: this.id });
    return this.#log;
  }

  turn(work: () => Promise<void>): Promise<void> {
    return this.#common.turn(this, work);
  }
}

function pathOf(target: string): string {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}

/**
 * Limits on what one client may cost. Each answers in clear words, or closes the connection when nobody can be
 * answered.
 */
export interface HttpLimits {
  /** Bytes of all header lines together, the request line included. */
  readonly headerBytes: number;
  /** Number of header lines. Node would drop the rest unread, and with it what the guards check. */
  readonly headers: number;
  readonly urlLength: number;
  /**
   * Number of open connections, of which a peer has a share. A client holds one for its stream and one or two for its
   * calls.
   */
  readonly connections: number;
  /** Number of exchanges under way at once, streams included, of which a peer has a share: one more is refused. */
  readonly exchanges: number;
  /** Number of requests that wait on their connection behind another one: the limit for one connection and for all. */
  readonly pipelined: number;
  readonly waiting: number;
  /** Bytes that all clients together have sent of requests under way, and not read of their answers. */
  readonly bufferBytes: number;
  /** Time an answer may go unread, without a byte of it being taken. Shorter than the heartbeat interval of streams. */
  readonly stalledMs: number;
  /** Time from the first byte to the last header. */
  readonly headersMs: number;
  /** Time from the first byte of a request to its last. The answer may take, and stream, as long as it likes. */
  readonly requestMs: number;
  /** Time an unused connection stays open. Longer than the pools of common clients, so that they close first. */
  readonly idleMs: number;
  /** Interval at which the two times above are checked. */
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
