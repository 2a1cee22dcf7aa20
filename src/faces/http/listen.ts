import { lookup } from 'node:dns/promises';
import { createServer, type Server, type ServerOptions, STATUS_CODES } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { reasonOf, SkillError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { checkToken, createAccess } from './access.ts';
import { refusalBody, rpcCodes } from './answers.ts';
import { createClients, parseBase } from './clients.ts';
import { defaultLimits, type Exchange, type HttpLimits, type Pages, type Route } from './exchange.ts';
import { bracketed, createGuards, isWildcard, parseHost } from './guards.ts';
import { createHandler } from './handler.ts';
import { countRequests, createJournal, type Journal, type RequestCounts } from './journal.ts';
import { createSockets, type Sockets } from './sockets.ts';
import type { TlsFiles } from './tls.ts';

const lingerMs = 500;

/** Answers to a connection that sends no request at all, too much of one, or too slowly. */
const answers: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
};

/** An error of the parser. `reason` is its own sentence, such as that Content-Length and Transfer-Encoding conflict. */
interface ParseError extends NodeJS.ErrnoException {
  readonly reason?: string;
}

/** Handles input that Node cannot parse, with a short answer written by hand. */
function createClientErrorHandler(sockets: Sockets, journal: Journal) {
  const handled = new WeakSet<Socket>();
  return (error: ParseError, socket: Socket): void => {
    if (handled.has(socket)) return;
    handled.add(socket);
    // After the start of an answer, more bytes would be read as part of it.
    if (!socket.writable || sockets.isAnswering(socket) || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const [status, message] = answers[error.code ?? ''] ?? [400, `bad request: ${error.reason ?? 'not valid HTTP'}`];
    journal.refused('malformed', message, { status, from: socket.remoteAddress, reason: error.code });
    socket.end(rawAnswer(status, message));
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  };
}

function rawAnswer(status: number, message: string): string {
  const body = refusalBody(rpcCodes.invalid, message);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

interface OAuthServer {
  readonly issuer: string;
  /** Further names under which tokens may be meant for this server. */
  readonly audiences: readonly string[];
  /** The claim that holds the groups of a caller. */
  readonly groupsClaim: string;
  /** The URL that clients use for the protocol, by the one where they reach this server. */
  resource(url: string): string;
}

export interface HttpOptions {
  /** A name or an address to listen on. Beyond this machine's own loopback a token is required. */
  readonly host: string;
  /** The port; 0 takes any free one. */
  readonly port: number;
  /** A token that every request for a route must carry as `Authorization: Bearer`, when set. */
  readonly token: string | undefined;
  /** An authorization server whose access tokens are accepted too. */
  readonly oauth?: OAuthServer | undefined;
  /** Additional host names to answer to, as behind a proxy; one with a port is allowed with that port alone. */
  readonly allowedHosts: readonly string[];
  /** Web pages that may call and read, such as https://app.example.com. */
  readonly allowedOrigins: readonly string[];
  /** Addresses and networks of proxies in front, whose `X-Forwarded-*` counts. */
  readonly trustedProxies?: readonly string[];
  /** The path that all others begin with; none if omitted. */
  readonly basePath?: string | undefined;
  /** The certificate and key of a server that encrypts. */
  readonly tls?: TlsFiles | undefined;
  readonly log: Logger;
  readonly limits?: Partial<HttpLimits>;
  /** Routes for the operators of the server, which are not announced to clients. */
  readonly operatorRoutes?: Readonly<Record<string, Route>>;
  /** Routes that need no token. */
  readonly openRoutes?: Readonly<Record<string, Route>>;
  /** The pages that people see in a browser. */
  readonly pages?: Pages | undefined;
}

export interface HttpServer {
  /** The URL where a client on this machine reaches it, with the path that all others begin with; no final slash. */
  readonly url: string;
  /** The URL with the address that was bound, which may be every address of this machine. */
  readonly boundUrl: string;
  readonly port: number;
  readonly requests: RequestCounts;
  /**
   * Stops accepting, waits up to `graceMs` for exchanges under way, then cuts every connection. May be called again.
   */
  close(graceMs: number): Promise<void>;
}

/** Serves the routes by their paths. All errors in the options are found before the port is taken. */
export async function listen(options: HttpOptions, routes: Readonly<Record<string, Route>>): Promise<HttpServer> {
  const { log } = options;
  const host = checkHost(options.host);
  checkPort(options.port);
  const basePath = checkBase(options.basePath ?? '');
  const clientOf = createClients(options.trustedProxies ?? []);
  checkToken(host, options.token, options.oauth !== undefined, log);
  const limits = { ...defaultLimits, ...options.limits };
  const address = await addressOf(host);
  const guards = createGuards({ ...options, host, address });
  // Loaded where it is asked for alone: a server on one's own machine needs nothing of it.
  const oauth = options.oauth && (await import('./oauth.ts')).createOAuth(options.oauth);
  const resourceAt = (place: string): string => options.oauth?.resource(place) ?? place;
  const resource = ({ client: { isProxied, scheme, host = '' }, base }: Exchange): string =>
    resourceAt(isProxied ? `${scheme}://${host}${base}` : url);
  const resourcePaths = ['http://localhost', `http://localhost${basePath}`].map(
    (place) => new URL(resourceAt(place)).pathname,
  );

  const { tls } = options;
  const made: ServerOptions = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.checkMs,
    highWaterMark: 16 * 1024, // per connection; later versions of Node would keep four times as much
    // A stream to a machine that was switched off would stay open for ever.
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  };
  const server = tls === undefined ? createServer(made) : (await import('./tls.ts')).createTlsServer(tls, made, log);
  server.maxHeadersCount = limits.headers + 1;
  server.timeout = limits.stalledMs;
  const requests = countRequests();
  const journal = createJournal(log, requests);
  const sockets = createSockets(server, limits, journal);
  const handle = createHandler({
    guards,
    access: createAccess({ token: options.token, oauth, issuer: options.oauth?.issuer, resource, resourcePaths }),
    basePath,
    clientOf,
    routes,
    operatorRoutes: options.operatorRoutes ?? {},
    openRoutes: options.openRoutes ?? {},
    pages: options.pages,
    limits,
    sockets,
    log,
  });
  server.on('request', handle);
  server.on('checkContinue', handle);
  server.on('clientError', createClientErrorHandler(sockets, journal));

  server.on('tlsClientError', (error: Error, { remoteAddress }: Socket) => {
    journal.refused('tls', 'a TLS handshake failed', { from: remoteAddress, reason: reasonOf(error) });
  });

  let url = '';
  const port = await bind(server, address, options.port);
  const urlAt = (name: string): string => `${tls ? 'https' : 'http'}://${bracketed(name)}:${port}${basePath}`;
  url = urlAt(reachable(host, address));
  server.on('error', (error) => log.error('the HTTP server failed', { error: String(error) }));
  return {
    url,
    boundUrl: urlAt(isWildcard(address) ? address : reachable(host, address)),
    port,
    requests,
    async close(graceMs) {
      await sockets.close(graceMs);
      journal.close();
    },
  };
}

const loopbacks: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The address to connect to, since a wildcard cannot be connected to. */
function reachable(host: string, address: string): string {
  if (host === 'localhost' || isWildcard(address)) return loopbacks[address] ?? address;
  return host;
}

/** The host in its one spelling; throws for what cannot be one. An empty host would mean every address there is. */
function checkHost(host: string): string {
  const name = parseHost(host);
  if (name !== null) return name;
  throw new SkillError('usage', `'${host}' is not a host to listen on`, {
    hint: 'Give a name or an address without a port: --host 127.0.0.1',
  });
}

function checkPort(port: number): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return;
  throw new SkillError('usage', `the port must be a whole number from 0 to 65535, not ${port}`, {
    hint: 'Give another port with --port; 0 takes any free one',
  });
}

/** The path that all others begin with; throws for what cannot be one. */
function checkBase(text: string): string {
  const base = parseBase(text);
  if (base !== null) return base;
  throw new SkillError('usage', `'${text}' is not a path to serve below`, {
    hint: 'Give a plain path that begins with a slash: --base-path /skills',
  });
}

/**
 * The address to listen on. `localhost` is always IPv4, whatever the machine's own table says: clients try that first
 * or next.
 */
async function addressOf(host: string): Promise<string> {
  if (host === 'localhost') return '127.0.0.1';
  if (isIP(host) !== 0) return host;
  try {
    const { address } = await lookup(host);
    return address;
  } catch (error) {
    throw new SkillError('usage', `no address was found for '${host}' (${reasonOf(error)})`, {
      hint: 'Give another host with --host',
      cause: error,
    });
  }
}

/** Binds the server. Resolves with the port. */
async function bind(server: Server, address: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => reject(bindError(error, address, port));
    server.once('error', failed);
    server.listen({ host: address, port }, () => {
      server.off('error', failed);
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
  });
}

interface Explanation {
  readonly text: (address: string, port: number) => string;
  readonly hint: string;
}

const elsewhere: Explanation = {
  text: (address) => `this machine has no address ${address}`,
  hint: 'Give another host with --host; 127.0.0.1 is always there',
};

const explanations: Readonly<Record<string, Explanation>> = {
  EADDRINUSE: {
    text: (address, port) => `port ${port} of ${address} is in use by another program`,
    hint: 'Give another port with --port; 0 takes any free one',
  },
  EACCES: {
    text: (address, port) => `this program may not listen on port ${port} of ${address}`,
    hint: 'Give a port of 1024 or more with --port',
  },
  EADDRNOTAVAIL: elsewhere,
  EAFNOSUPPORT: elsewhere,
  EINVAL: elsewhere,
};

function bindError(error: Error, address: string, port: number): SkillError {
  const reason = reasonOf(error);
  const known = explanations[reason];
  const text = known?.text(address, port) ?? `cannot listen on port ${port} of ${address}`;
  const hint = known?.hint ?? 'Give another host with --host or another port with --port';
  return new SkillError('usage', `${text} (${reason})`, { hint, cause: error });
}
