import { hash, randomBytes } from 'node:crypto';
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { SkillError } from '../../core/errors.ts';
import { anything, type Infer, list, object, optional, text, union } from '../../core/schema/schema.ts';
import { read } from '../../core/schema/schema-reader.ts';
import type { Exchange } from './exchange.ts';
import { secureUrl } from './guards.ts';
import { type Identity, scopes } from './identity.ts';

interface OAuthOptions {
  /** The authorization server, as its tokens name it. */
  readonly issuer: string;
  /** Further names under which tokens may be meant for this server. */
  readonly audiences: readonly string[];
  /** The claim that holds the groups of a caller. */
  readonly groupsClaim: string;
}

/** Checks access tokens of an authorization server, whose keys are fetched when the first one comes. */
export interface OAuth {
  /** Resolves with whom a token for a resource speaks for, or with the reason why it is not accepted. */
  verify(token: string, resource: string): Promise<Identity | TokenRefusal>;
  /** Checks an ID token in the same way, by which a client learns who has signed in: it must carry the client's nonce. */
  verifyId(token: string, clientId: string, nonce: string): Promise<Identity | TokenRefusal>;
  /** Resolves with what the issuer says of itself. */
  description(): Promise<IssuerDescription>;
}

/** A token that is not accepted, or that could not be checked. */
interface TokenRefusal {
  readonly refused: 'wrong' | 'unchecked';
  readonly message: string;
}

/** Signatures with a public key alone: with a shared one, anyone who can check a token could make one. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Seconds by which the clocks of two machines may differ. */
const clockTolerance = 30;
const discoveryMs = 5000;
const longestToken = 16 * 1024;

export function createOAuth({ issuer, audiences, groupsClaim }: OAuthOptions): OAuth {
  let known: Promise<KnownIssuer> | undefined;

  /** The issuer with its keys; after a failure, the next token tries again. */
  function knownIssuer(): Promise<KnownIssuer> {
    known ??= discover(issuer).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  }

  async function check(
    token: string,
    audience: string[],
    problemIn: (payload: JWTPayload) => string | null,
  ): Promise<Identity | TokenRefusal> {
    if (token.length > longestToken) return { refused: 'wrong', message: 'the token is too long' };
    try {
      const options = { issuer, audience, algorithms, clockTolerance, requiredClaims: ['exp', 'sub'] };
      const { payload } = await jwtVerify(token, (await knownIssuer()).keys, options);
      const message = problemIn(payload);
      return message === null ? identityIn(payload, issuer, groupsClaim) : { refused: 'wrong', message };
    } catch (error) {
      return refusalFor(error);
    }
  }

  return {
    verify: (token, resource) => check(token, [resource, ...audiences], () => null),
    verifyId: (token, clientId, nonce) =>
      check(token, [clientId], (payload) => {
        if (payload['nonce'] !== nonce) return 'the ID token was not issued for this sign-in';
        const isForOthers = Array.isArray(payload.aud) && payload.aud.length > 1 && payload['azp'] !== clientId;
        return isForOthers ? 'the ID token was issued to another client' : null;
      }),
    description: async () => (await knownIssuer()).description,
  };
}

interface KnownIssuer {
  readonly description: IssuerDescription;
  readonly keys: JWTVerifyGetKey;
}

/** Faults of a token by the code of the error; any other error means that it could not be checked. */
const reasons: Readonly<Record<string, string>> = {
  [errors.JWTExpired.code]: 'the token has expired',
  [errors.JWTInvalid.code]: 'the token is not a JSON Web Token',
  [errors.JWSInvalid.code]: 'the token is not a JSON Web Token',
  [errors.JWSSignatureVerificationFailed.code]: 'the signature of the token is wrong',
  [errors.JWKSNoMatchingKey.code]: 'the token was signed with a key that its issuer does not publish',
  [errors.JOSEAlgNotAllowed.code]: 'the token was signed in a way that is not accepted',
  [errors.JOSENotSupported.code]: 'the token was signed in a way that is not accepted',
};

function refusalFor(error: unknown): TokenRefusal {
  if (error instanceof errors.JWTClaimValidationFailed) {
    return { refused: 'wrong', message: `the claim "${error.claim}" of the token is missing or wrong` };
  }
  const message = error instanceof errors.JOSEError ? reasons[error.code] : undefined;
  if (message !== undefined) return { refused: 'wrong', message };
  return {
    refused: 'unchecked',
    message: 'the authorization server cannot be reached, so that no token can be checked',
  };
}

/** Claims that differ between providers: a list of words, or one text with blanks between them. */
const words = optional(union(text(), list(text())));
const claims = object(
  {
    sub: text(),
    client_id: optional(text()),
    azp: optional(text()),
    scope: words,
    scp: words,
    exp: anything(),
  },
  undefined,
  { open: true },
);

function identityIn(payload: JWTPayload, issuer: string, groupsClaim: string): Identity | TokenRefusal {
  const reading = read(claims, payload);
  const groups = read(words, payload[groupsClaim] ?? []);
  if (!reading.ok || !groups.ok)
    return { refused: 'wrong', message: 'the claims of the token are not of the usual types' };
  const { sub, client_id: clientId, azp, scope, scp } = reading.value;
  return {
    issuer,
    subject: sub,
    clientId: clientId ?? azp,
    scopes: new Set([...listOf(scope), ...listOf(scp)]),
    groups: listOf(groups.value),
    expiresAt: payload.exp ?? 0,
  };
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === 'string' ? value.split(' ').filter((word) => word !== '') : (value ?? []);
}

/** The part of an authorization server's description that is needed. */
const issuerDescription = object(
  {
    issuer: text(),
    jwks_uri: text(),
    authorization_endpoint: optional(text()),
    token_endpoint: optional(text()),
    scopes_supported: optional(list(text())),
    token_endpoint_auth_methods_supported: optional(list(text())),
  },
  undefined,
  { open: true },
);
type IssuerDescription = Infer<typeof issuerDescription>;

/** Finds an issuer's own description, in any of the places where clients look for one, and with it the keys. */
async function discover(issuer: string): Promise<KnownIssuer> {
  for (const address of descriptionsOf(issuer)) {
    const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(discoveryMs) });
    if (!answer.ok) {
      await answer.body?.cancel();
      continue;
    }
    const reading = read(issuerDescription, await answer.json());
    if (!reading.ok || reading.value.issuer !== issuer) throw new Error(`${address} describes another issuer`);
    const place = secureUrl(reading.value.jwks_uri, 'the address of the keys');
    return { description: reading.value, keys: createRemoteJWKSet(place, { timeoutDuration: discoveryMs }) };
  }
  throw new Error(`${issuer} does not describe itself`);
}

function descriptionsOf(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
}

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

interface SignInOptions {
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
