import { createServer, type RequestListener } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';
import { listenOn } from './listen.ts';

/** A real authorization server on this machine, with clients that are programs. */
export interface AuthorizationServer {
  readonly issuer: string;
  /** Asks for a token as a client does. */
  token(client: string, resource: string, scope: string): Promise<string>;
  /** Makes a token with the server's own key, and any claims. */
  forge(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** Stops answering, or answers again. */
  pause(isPaused: boolean): void;
}

const clients = ['ann', 'ben'];
export const secretOf = (client: string): string => `the-secret-of-${client}`;

interface People {
  /** The address that people are sent back to once they have signed in. */
  readonly back: string;
  /** The scopes that they can have. */
  readonly scope?: string;
}

/** Starts the server; with people, who sign in on its pages for the client `console`. */
export async function startAuthorizationServer(people?: People): Promise<AuthorizationServer> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' };
  let answer: RequestListener = () => {};
  let isPaused = false;
  const server = createServer((request, response) => {
    if (isPaused) request.socket.destroy();
    else answer(request, response);
  });
  const issuer = `http://127.0.0.1:${await listenOn(server)}`;
  answer = new Provider(issuer, configuration(key, people)).callback();
  return {
    issuer,
    async token(client, resource, scope) {
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${client}:${secretOf(client)}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
      });
      return ((await response.json()) as { access_token: string }).access_token;
    },
    forge: (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'first' }).sign(privateKey),
    pause(paused) {
      isPaused = paused;
    },
  };
}

const all = 'skills:read skills:run skills:grant';

function configuration(key: object, people?: People): object {
  const scope = people?.scope ?? all;
  const person = people && {
    ...{ client_id: 'console', client_secret: secretOf('console'), redirect_uris: [people.back] },
    ...{ grant_types: ['authorization_code'], response_types: ['code'], scope: `openid ${scope}` },
  };
  return {
    jwks: { keys: [key] },
    clients: [
      ...(person ? [person] : []),
      ...clients.map((id) => ({
        client_id: id,
        client_secret: secretOf(id),
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        scope,
      })),
    ],
    scopes: ['openid', ...scope.split(' ')],
    features: {
      devInteractions: { enabled: people !== undefined },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, audience: string) => ({
          ...{ scope, audience, accessTokenTTL: 600, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } },
        }),
      },
    },
  };
}
