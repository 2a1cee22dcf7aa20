import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Logger, withFacts } from '../kernel/log.ts';

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
