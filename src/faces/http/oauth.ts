import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { anything, type Infer, list, object, optional, text, union } from '../../core/schema/schema.ts';
import { read } from '../../core/schema/schema-reader.ts';
import { secureUrl } from './guards.ts';
import type { Identity } from './identity.ts';

export interface OAuthOptions {
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
export interface TokenRefusal {
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

export function listOf(value: string | readonly string[] | undefined): readonly string[] {
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
export type IssuerDescription = Infer<typeof issuerDescription>;

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
