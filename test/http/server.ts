import { once } from 'node:events';
import { type IncomingHttpHeaders, request as openRequest, type RequestOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { createLogger, type LogLevel } from '../../src/core/log.ts';
import type { Route } from '../../src/faces/http/exchange.ts';
import { type HttpOptions, type HttpServer, listen } from '../../src/faces/http/listen.ts';

export interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Line {
  readonly level: LogLevel;
  readonly message: string;
  readonly [fact: string]: unknown;
}

export interface Served {
  readonly server: HttpServer;
  /** What was logged so far. */
  readonly lines: () => Line[];
  /** A request by Node's own client. */
  readonly ask: (path: string, options?: RequestOptions, body?: string | Buffer) => Promise<Answer>;
  /** A connection that sends bytes as they are. */
  readonly dial: () => Promise<Socket>;
  /** Sends bytes on a connection of their own and gives all that came back until it was closed. */
  readonly raw: (text: string | Buffer) => Promise<string>;
}

export const hello: Readonly<Record<string, Route>> = {
  '/mcp': ({ response }) => {
    response.end('hello');
  },
};

export async function serve(options: Partial<HttpOptions> = {}, routes = hello): Promise<Served> {
  const written: string[] = [];
  const log = createLogger({ level: 'debug', format: 'json', write: (line) => written.push(line) });
  const defaults = { host: '127.0.0.1', port: 0, token: undefined, allowedHosts: [], allowedOrigins: [], log };
  const server = await listen({ ...defaults, ...options }, routes);
  onTestFinished(() => server.close(0));
  const host = server.url.startsWith('http://[') ? '::1' : '127.0.0.1';
  const dial = async (): Promise<Socket> => {
    const socket = connect(server.port, host);
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  return {
    server,
    lines: () => written.map((line) => JSON.parse(line) as Line),
    dial,
    ask: (path, given, body) => ask({ host, port: server.port, path, agent: false, ...given }, body),
    async raw(text) {
      const socket = await dial();
      socket.write(text);
      return restOf(socket);
    },
  };
}

export function ask(options: RequestOptions, body?: string | Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = openRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode, headers: response.headers, text });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** All that comes until the connection is closed. */
export async function restOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
  if (!socket.closed) await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

/** The message of a refusal, which must have the shape that clients read. */
export function messageOf({ text }: Pick<Answer, 'text'>): string {
  const { jsonrpc, id, error } = JSON.parse(text) as Refused;
  if (jsonrpc !== '2.0' || id !== null || typeof error.code !== 'number') throw new Error(`no refusal: ${text}`);
  return error.message;
}

interface Refused {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly error: { readonly code: unknown; readonly message: string };
}

/** Waits until it is so. */
export async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { interval: 5 }).toBe(true);
}
