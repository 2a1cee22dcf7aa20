import { lookup } from 'node:dns/promises';
import { chmodSync, closeSync, openSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import { permitsAddress, permitsHost } from '../policy/capabilities.ts';
import type { HostRule } from '../policy/types.ts';
import type { Denial } from './types.ts';

/** The only way out of a run: a proxy of its own, with an allowlist of its own. */
export interface EgressProxy {
  readonly socket: string;
  denials(): readonly Denial[];
  close(): Promise<void>;
}

interface ProxyOptions {
  readonly rules: readonly HostRule[];
  /** The socket on which the proxy listens, in a private folder. */
  readonly socket: string;
  readonly resolve?: Resolve;
}

const maxConnections = 64;
const headerBytes = 16_384;
const headerMs = 10_000;
const idleMs = 120_000;
const connectMs = 10_000;
const maxDenials = 20;
const lowestStatus = 100;

export async function startProxy({ rules, socket, resolve = resolveHost }: ProxyOptions): Promise<EgressProxy> {
  const denied = new Set<string>();
  const find = async (host: string, port: number) => {
    const destination = await destinationOf(rules, host, port, resolve);
    if (!destination.ok && destination.status === 403 && denied.size < maxDenials) denied.add(destination.reason);
    return destination;
  };
  const server = createServer({
    maxHeaderSize: headerBytes,
    headersTimeout: headerMs,
    requestTimeout: 0,
    keepAlive: false,
  });
  // Only one request is accepted per connection, so that none can hide behind the first.
  server.maxRequestsPerSocket = 1;
  server.maxConnections = maxConnections;
  const open = trackConnections(server);
  server.on('request', (incoming, response) => void forward(incoming, response, find, open));
  server.on(
    'connect',
    (incoming: IncomingMessage, client: Duplex, head: Buffer) => void tunnel(incoming, client, head, find, open),
  );
  server.on('clientError', (_, client) => client.destroy());
  await listening(server, socket);
  return {
    socket,
    denials: () => [...denied].map((detail) => ({ what: 'network', detail })),
    close: () =>
      new Promise((settle) => {
        server.close(() => settle());
        for (const each of open) each.destroy();
      }),
  };
}

type Find = (host: string, port: number) => Promise<Destination>;

async function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  find: Find,
  open: Set<Duplex>,
): Promise<void> {
  const target = targetOf(incoming.url ?? '');
  if (target === null) return answer(response, 400, 'only requests with a full http:// address are accepted');
  const destination = await find(target.host, target.port);
  if (!destination.ok) return answer(response, destination.status, destination.reason);
  const upstream = await dial(destination, open).catch(() => null);
  if (upstream === null) return answer(response, 502, `${target.host}:${target.port} cannot be reached`);
  const outgoing = request({
    createConnection: () => upstream,
    method: incoming.method,
    path: `${target.url.pathname}${target.url.search}`,
    headers: { ...passedOn(incoming.headers), host: target.url.host, connection: 'close' },
  });
  outgoing.on('response', (answered) => {
    const { statusCode = 0, headers } = answered;
    // The parser accepts such a status, but `writeHead` would throw where nobody catches it.
    if (statusCode < lowestStatus) return void outgoing.destroy(new Error('it has no status'));
    response.writeHead(statusCode, { ...passedOn(headers), connection: 'close' });
    answered.pipe(response);
  });
  outgoing.on('error', () =>
    response.headersSent ? response.destroy() : answer(response, 502, 'the other side closed the connection'),
  );
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

async function tunnel(
  incoming: IncomingMessage,
  client: Duplex,
  head: Buffer,
  find: Find,
  open: Set<Duplex>,
): Promise<void> {
  client.on('error', () => client.destroy());
  const authority = authorityOf(incoming.url ?? '');
  if (authority === null) return refuse(client, 400, 'a host and a port are needed');
  const destination = await find(authority.host, authority.port);
  if (!destination.ok) return refuse(client, destination.status, destination.reason);
  const upstream = await dial(destination, open).catch(() => null);
  if (upstream === null) return refuse(client, 502, `${authority.host}:${authority.port} cannot be reached`);
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  upstream.write(head);
  client.pipe(upstream);
  upstream.pipe(client);
  client.on('close', () => upstream.destroy());
  upstream.on('close', () => client.destroy());
}

/** Connects to the addresses in turn until one answers. */
async function dial({ addresses, port }: Destination & { ok: true }, open: Set<Duplex>): Promise<Socket> {
  let problem: unknown;
  for (const host of addresses) {
    try {
      return await dialOne(host, port, open);
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

function dialOne(host: string, port: number, open: Set<Duplex>): Promise<Socket> {
  return new Promise((settle, fail) => {
    const socket = connect({ host, port });
    watch(socket, open, connectMs);
    socket.on('error', fail);
    socket.once('close', () => fail(new Error('closed')));
    socket.once('connect', () => {
      socket.setTimeout(idleMs);
      settle(socket);
    });
  });
}

function trackConnections(server: Server): Set<Duplex> {
  const open = new Set<Duplex>();
  server.on('connection', (client: Socket) => watch(client, open, idleMs));
  return open;
}

function watch(socket: Socket, open: Set<Duplex>, timeoutMs: number): void {
  open.add(socket);
  socket.once('close', () => open.delete(socket));
  socket.setTimeout(timeoutMs, () => socket.destroy());
}

function answer(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`repertoire: ${reason}\n`);
}

function refuse(client: Duplex, status: number, reason: string): void {
  const body = `repertoire: ${reason}\n`;
  const head = `HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n`;
  client.end(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/**
 * Listens on a socket. Its path must be short while that of its folder may be long, so it is addressed through a
 * descriptor of the folder, kept open for that.
 */
async function listening(server: Server, path: string): Promise<void> {
  const folder = openSync(dirname(path), 'r');
  server.once('close', () => closeSync(folder));
  const short = process.platform === 'linux' ? `/proc/self/fd/${folder}/${basename(path)}` : path;
  try {
    await new Promise<void>((settle, fail) => {
      server.once('error', fail);
      server.listen({ path: short, readableAll: true, writableAll: true }, settle);
    });
    chmodSync(path, 0o666); // for the user nobody; the folder is closed to everybody else
  } catch (error) {
    server.close();
    throw error;
  }
}

type Destination =
  | { readonly ok: true; readonly addresses: readonly string[]; readonly port: number }
  | { readonly ok: false; readonly status: 403 | 502; readonly reason: string };

/** Resolves a host name; passed as a value so that tests need no name server. */
type Resolve = (host: string) => Promise<readonly string[]>;

const resolveHost: Resolve = async (host) => {
  if (isIP(host) !== 0) return [host];
  return (await lookup(host, { all: true })).map(({ address }) => address);
};

/**
 * Resolves and checks the addresses that a run may reach. The name is resolved once and the checked addresses are the
 * ones dialled, so a name server that answers differently the second time is never asked again.
 */
async function destinationOf(
  rules: readonly HostRule[],
  host: string,
  port: number,
  resolve: Resolve,
): Promise<Destination> {
  if (!permitsHost(rules, host, port)) return refused(`${host}:${port} is not allowed for this run`);
  const addresses = await resolve(host).catch(() => null);
  if (addresses === null || addresses.length === 0) {
    return { ok: false, status: 502, reason: `${host} has no address` };
  }
  const permitted = addresses.filter((address) => permitsAddress(rules, host, address));
  if (permitted.length === 0) return refused(`${host} leads to ${addresses[0]}, which is not allowed for this run`);
  return { ok: true, addresses: permitted.slice(0, 3), port };
}

function refused(reason: string): Destination {
  return { ok: false, status: 403, reason };
}

/** The variables that tell programs to use the proxy, in lower and upper case. */
export function proxyVariables(port: number): Readonly<Record<string, string>> {
  const url = `http://127.0.0.1:${port}`;
  const variables = { http_proxy: url, https_proxy: url, all_proxy: url, no_proxy: '' };
  const upper = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name.toUpperCase(), value]));
  return { ...variables, ...upper };
}

/** Headers that concern this connection only and are not forwarded. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Returns the headers that are forwarded to the other side. */
function passedOn(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => value !== undefined && !hopByHop.has(name) && !named.includes(name),
    ),
  );
}

/** Parses `host:port` as in CONNECT; null for anything else. */
function authorityOf(text: string): { readonly host: string; readonly port: number } | null {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/@[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const number = Number(port);
  return host === undefined || number < 1 || number > 65_535 ? null : { host, port: number };
}

/** Parses an absolute URL as in requests to a proxy; null for anything else. */
function targetOf(text: string): { readonly host: string; readonly port: number; readonly url: URL } | null {
  if (!/^http:\/\//i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return null;
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? 80 : Number(url.port), url };
}
