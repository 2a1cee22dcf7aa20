import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOn } from '../support/listen.ts';

/** A server that lets in only those who have signed in at it, and passes their requests on. */
export interface Guarded {
  readonly url: string;
  /** Tokens given out, whether they are still good, and how often each kind was asked for. */
  readonly tokens: Set<string>;
  readonly granted: string[];
}

interface Asked {
  readonly query: URLSearchParams;
  readonly body: string;
  readonly request: IncomingMessage;
}

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const wrong = (error: string): Answer => ({ status: 400, body: { error } });

/** A small authorization server (code with PKCE, registration, refresh) with a resource behind it. */
export async function startGuarded(behind: string): Promise<Guarded> {
  const tokens = new Set<string>();
  const refreshTokens = new Set<string>();
  const granted: string[] = [];
  const codes = new Map<string, { readonly challenge: string; readonly redirect: string }>();
  const clients = new Map<string, readonly string[]>();
  const server = createServer((request, response) => void respond(request, response));
  const origin = `http://127.0.0.1:${await listenOn(server)}`;

  function issued(kind: string): Answer {
    const [access_token, refresh_token] = [`access-${random()}`, `refresh-${random()}`];
    tokens.add(access_token);
    refreshTokens.add(refresh_token);
    granted.push(kind);
    return { body: { access_token, refresh_token, token_type: 'Bearer', expires_in: 3600 } };
  }

  const resource = (): Answer => ({ body: { resource: `${origin}/mcp`, authorization_servers: [origin] } });
  const routes: Readonly<Record<string, (asked: Asked) => Answer>> = {
    '/.well-known/oauth-protected-resource/mcp': resource,
    '/.well-known/oauth-authorization-server': () => ({
      body: {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      },
    }),
    '/register'({ body }) {
      const { redirect_uris } = JSON.parse(body) as { redirect_uris: string[] };
      const client_id = `client-${random()}`;
      clients.set(client_id, redirect_uris);
      return { status: 201, body: { client_id, redirect_uris, token_endpoint_auth_method: 'none' } };
    },
    '/authorize'({ query }) {
      const redirect = query.get('redirect_uri') ?? '';
      const isKnown = clients.get(query.get('client_id') ?? '')?.includes(redirect) === true;
      if (!isKnown || query.get('code_challenge_method') !== 'S256') return wrong('invalid_request');
      const code = random();
      codes.set(code, { redirect, challenge: query.get('code_challenge') ?? '' });
      const back = new URL(redirect);
      back.search = String(new URLSearchParams({ code, state: query.get('state') ?? '', iss: origin }));
      return { status: 302, headers: { location: back.href } };
    },
    '/token'({ body }) {
      const form = new URLSearchParams(body);
      const given = (name: string): string => form.get(name) ?? '';
      if (given('grant_type') === 'refresh_token') {
        return refreshTokens.delete(given('refresh_token')) ? issued('refresh_token') : wrong('invalid_grant');
      }
      const code = codes.get(given('code'));
      codes.delete(given('code'));
      const proof = createHash('sha256').update(given('code_verifier')).digest('base64url');
      const isRight = code?.challenge === proof && code.redirect === given('redirect_uri');
      return isRight ? issued('authorization_code') : wrong('invalid_grant');
    },
  };

  async function passedOn({ request, body }: Asked): Promise<Answer> {
    const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
    if (!tokens.has(token)) {
      const where = `${origin}/.well-known/oauth-protected-resource/mcp`;
      return { status: 401, headers: { 'www-authenticate': `Bearer resource_metadata="${where}"` } };
    }
    const { host: _, authorization: __, connection: ___, ...headers } = request.headers as Record<string, string>;
    const passed = await fetch(behind, { method: request.method ?? 'POST', headers, ...(body !== '' && { body }) });
    const type = { 'content-type': passed.headers.get('content-type') ?? 'text/plain' };
    return { status: passed.status, headers: type, body: await passed.text() };
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', origin);
    const asked = { request, query, body: await textOf(request) };
    const { status = 200, headers = {}, body } = routes[pathname]?.(asked) ?? (await passedOn(asked));
    const isText = typeof body === 'string' || body === undefined;
    response.writeHead(status, isText ? headers : { 'content-type': 'application/json', ...headers });
    response.end(isText ? body : JSON.stringify(body));
  }

  return { url: `${origin}/mcp`, tokens, granted };
}

function random(): string {
  return randomBytes(12).toString('hex');
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
