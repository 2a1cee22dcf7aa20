import { createServer } from 'node:http';
import { putFile } from '../../core/disk/replace.ts';
import { SkillError } from '../../core/errors.ts';
import { readOwnFile } from '../../core/schema/own-file.ts';
import { anything, type Infer, integer, object, optional } from '../../core/schema/schema.ts';
import { isLoopback } from '../connect/target.ts';
import type { OAuthClientProvider } from '../connect/transport.ts';
import type { SignIn } from './fetch.ts';

type Tokens = Parameters<OAuthClientProvider['saveTokens']>[0];
type ClientInformation = Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0];

/** The record of a sign-in, in a file for this user alone. */
const keptSchema = object({
  /** The port that the client was registered with. */
  port: optional(integer(undefined, { min: 1, max: 65_535 })),
  client: optional(anything<ClientInformation>()),
  tokens: optional(anything<Tokens>()),
});

interface SignInOptions {
  /** The file that keeps the tokens. */
  readonly file: string;
  readonly remote: string;
  /** The client's id, where it was registered by hand. */
  readonly clientId: string | null;
  /** Asks a person to open an address; missing where there is nobody to ask. */
  readonly ask?: ((address: string) => void) | undefined;
}

/** A sign-in, and its end. */
export interface OpenSignIn extends SignIn {
  readonly close: () => void;
}

/**
 * Signs a person in with an authorization code and PKCE: their browser comes back to a port of this machine that is
 * open for as long as the sign-in takes.
 */
export async function openSignIn({ file, remote, clientId, ask }: SignInOptions): Promise<OpenSignIn> {
  let kept = readKept(file);
  const state = process.getBuiltinModule('node:crypto').randomBytes(24).toString('base64url');
  const callback = ask === undefined ? null : await listenForCallback(kept.port, state);
  if (callback !== null && callback.port !== kept.port) kept = { port: callback.port };
  let verifier = '';
  let isSent = false;
  let discovery: Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0] | undefined;
  const keep = (more: Partial<Infer<typeof keptSchema>>): void => {
    kept = { ...kept, ...more };
    putFile(file, `${JSON.stringify(kept)}\n`);
  };
  const redirectUrl = `http://127.0.0.1:${callback?.port ?? kept.port ?? 1}/callback`;
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'Repertoire',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation: () => (clientId === null ? kept.client : { client_id: clientId }),
    saveClientInformation: (client) => keep({ client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => keep({ tokens }),
    redirectToAuthorization(address) {
      if (ask === undefined) throw signInNeeded(remote);
      if (address.protocol !== 'https:' && !isLoopback(address)) {
        throw new SkillError('unavailable', `the server wants you to sign in at ${address.origin}, which is not safe`);
      }
      isSent = true;
      ask(address.href);
    },
    saveCodeVerifier(one) {
      verifier = one;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(one) {
      discovery = one;
    },
    discoveryState: () => discovery,
    invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'client') keep({ client: undefined });
      if (scope === 'all' || scope === 'tokens') keep({ tokens: undefined });
      if (scope === 'all' || scope === 'discovery') discovery = undefined;
    },
  };
  return {
    provider,
    returned: async (signal) => (isSent && callback !== null ? callback.returned(signal) : null),
    close: () => callback?.close(),
  };
}

function signInNeeded(remote: string): SkillError {
  const hint = `Run repertoire remote refresh ${remote} in a terminal.`;
  return new SkillError('denied', 'the server wants you to sign in again', { hint });
}

/** Facts kept of a sign-in; none where they are not as we write them: the person signs in anew. */
function readKept(file: string): Infer<typeof keptSchema> {
  return readOwnFile(keptSchema, file, 1024 * 1024) ?? {};
}

/** The place on this machine that a browser comes back to. */
interface CallbackListener {
  readonly port: number;
  readonly returned: (signal: AbortSignal) => Promise<URLSearchParams>;
  readonly close: () => void;
}

/** Listens on loopback for one answer with the right state; anything else is not answered. */
async function listenForCallback(wanted: number | undefined, state: string): Promise<CallbackListener> {
  let arrive: (callback: URLSearchParams) => void = () => {};
  const arrival = new Promise<URLSearchParams>((resolve) => {
    arrive = resolve;
  });
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isOurs = request.method === 'GET' && pathname === '/callback' && searchParams.get('state') === state;
    const text = isOurs ? 'You are signed in, or know why not, in the terminal. You can close this page.' : 'Not here.';
    response.writeHead(isOurs ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end(`${text}\n`);
    if (isOurs) arrive(searchParams);
  });
  const listen = (port: number): Promise<boolean> =>
    new Promise((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
  if (!(await listen(wanted ?? 0)) && !(await listen(0))) {
    throw new SkillError('unavailable', 'no port of this machine could be opened to sign in');
  }
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    returned: (signal) =>
      new Promise((resolve, reject) => {
        const giveUp = (): void => reject(signal.reason);
        signal.addEventListener('abort', giveUp, { once: true });
        void arrival.then((callback) => {
          signal.removeEventListener('abort', giveUp);
          resolve(callback);
        });
      }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
