import { hash, randomBytes } from 'node:crypto';
import { SkillError } from '../../core/errors.ts';
import { object, optional, text } from '../../core/schema/schema.ts';
import { read } from '../../core/schema/schema-reader.ts';
import type { Exchange } from './exchange.ts';
import { secureUrl } from './guards.ts';
import { type Identity, scopes } from './identity.ts';
import { createOAuth, listOf, type TokenRefusal } from './oauth.ts';

/**
 * Signs people in at an authorization server, by OpenID Connect: they go there with a challenge (PKCE), a state and a
 * nonce, and come back with a code, which this server exchanges for tokens. Browsers never see those.
 */
export interface SignIn {
  /** Begins a sign-in: where to send the browser, and what it must bring back from there in a cookie. */
  begin(exchange: Exchange): Promise<{ readonly location: string; readonly secret: string }>;
  /** Ends a sign-in: resolves with who has come back, or with the reason why they are not let in. */
  end(exchange: Exchange, secret: string | undefined): Promise<Identity | TokenRefusal>;
}

export interface SignInOptions {
  readonly oauthIssuer: string | undefined;
  readonly oauthAudience: readonly string[];
  readonly oauthGroupsClaim: string;
  /** The name under which the issuer knows this server, and its secret where it has one. */
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** The URL that clients use for the protocol, where it is set. */
  readonly publicUrl: string | undefined;
  /** The path that the issuer sends people back to. */
  readonly returnPath: string;
}

const exchangeMs = 10_000;
const longestAnswer = 256 * 1024;

export function createSignIn(options: SignInOptions): SignIn {
  const { clientId, clientSecret, publicUrl, returnPath } = options;
  if (options.oauthIssuer === undefined) {
    throw new SkillError('usage', 'people sign in at an authorization server, and none is named', {
      hint: 'Give its URL with --oauth-issuer, or leave out --oauth-client-id.',
    });
  }
  const issuer = secureUrl(options.oauthIssuer, 'the issuer') && options.oauthIssuer;
  const oauth = createOAuth({
    ...{ issuer, audiences: options.oauthAudience, groupsClaim: options.oauthGroupsClaim },
  });

  /** The addresses of this server for its client: the one to come back to, and that which tokens are meant for. */
  function placesOf({ client: { scheme, host = '' }, base }: Exchange) {
    const resource = publicUrl ?? `${scheme}://${host}${base}/mcp`;
    return { resource, back: new URL(`.${returnPath}`, resource).href };
  }

  async function redeem(exchange: Exchange, code: string, verifier: string): Promise<Tokens> {
    const { token_endpoint: endpoint = '', token_endpoint_auth_methods_supported: methods } = await oauth.description();
    const { back, resource } = placesOf(exchange);
    const isPosted = methods !== undefined && !methods.includes('client_secret_basic');
    const pair = [clientId, clientSecret ?? ''].map(encodeURIComponent).join(':');
    const response = await fetch(secureUrl(endpoint, 'the token endpoint'), {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(exchangeMs),
      headers: {
        accept: 'application/json',
        ...(clientSecret !== undefined && !isPosted && { authorization: `Basic ${btoa(pair)}` }),
      },
      body: new URLSearchParams({
        ...{ grant_type: 'authorization_code', code, redirect_uri: back, code_verifier: verifier, resource },
        ...(clientSecret === undefined && { client_id: clientId }),
        ...(clientSecret !== undefined && isPosted && { client_id: clientId, client_secret: clientSecret }),
      }),
    });
    const told = await response.text();
    if (!response.ok) throw new Error(`the token endpoint answered with ${response.status}`);
    const reading = read(tokensSchema, told.length > longestAnswer ? null : JSON.parse(told));
    if (!reading.ok) throw new Error('the token endpoint gave no access token and ID token');
    return reading.value;
  }

  return {
    async begin(exchange) {
      const { authorization_endpoint: endpoint = '', scopes_supported: supported } = await oauth.description();
      const { back, resource } = placesOf(exchange);
      const [state = '', nonce = '', verifier = ''] = [1, 2, 3].map(() => randomBytes(32).toString('base64url'));
      const ours = Object.keys(scopes);
      const known = ours.filter((scope) => supported?.includes(scope));
      const url = secureUrl(endpoint, 'the authorization endpoint');
      const asked = {
        ...{ response_type: 'code', client_id: clientId, redirect_uri: back, resource, state, nonce },
        scope: ['openid', ...(known.length > 0 ? known : ours)].join(' '),
        ...{ code_challenge: hash('sha256', verifier, 'base64url'), code_challenge_method: 'S256' },
      };
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
      return { location: url.href, secret: [state, nonce, verifier].join('.') };
    },
    async end(exchange, secret = '') {
      const { searchParams: query } = exchange.url;
      const [state = '', nonce = '', verifier = ''] = secret.split('.');
      const code = query.get('code');
      const isOurs = verifier !== '' && query.get('state') === state && [null, issuer].includes(query.get('iss'));
      if (!isOurs) return { refused: 'wrong', message: 'the sign-in was not begun in this browser, or long ago' };
      if (code === null) return { refused: 'wrong', message: 'the authorization server did not let the person in' };
      const tokens = await redeem(exchange, code, verifier);
      const person = await oauth.verifyId(tokens.id_token, clientId, nonce);
      if ('refused' in person) return person;
      const access = await oauth.verify(tokens.access_token, placesOf(exchange).resource);
      if (!('refused' in access) && access.subject === person.subject) return access;
      // Tokens that only their issuer can read: it has told beside them what they allow.
      return { ...person, clientId, scopes: new Set([...person.scopes, ...listOf(tokens.scope)]) };
    },
  };
}

/** The answer of a token endpoint. */
const tokensSchema = object({ access_token: text(), id_token: text(), scope: optional(text()) }, undefined, {
  open: true,
});
interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly scope?: string | undefined;
}
