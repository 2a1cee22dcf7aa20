/** A caller who was identified by an access token. */
export interface Identity {
  readonly issuer: string;
  /** The person or program, as the issuer names them. */
  readonly subject: string;
  /** The client that the token was issued to. */
  readonly clientId?: string | undefined;
  readonly scopes: ReadonlySet<string>;
  readonly groups: readonly string[];
  /** The end of the token's life, in seconds since 1970. */
  readonly expiresAt: number;
  /** The URL where a client learns how to get a token with other scopes. */
  readonly resourceMetadata?: string | undefined;
}

/** The scopes that this server knows, and what each allows. */
export const scopes = {
  'skills:read': 'list, search and load skills',
  'skills:run': 'run the tools of skills',
  'skills:grant': 'answer what a skill asks to be granted',
  admin: 'all of it',
} as const;
export type Scope = keyof typeof scopes;

/** Whether a caller has a scope. Without an identity there is none to limit: a server's own token opens all of it. */
export function hasScope(identity: Identity | undefined, scope: Scope): boolean {
  return identity === undefined || identity.scopes.has(scope) || identity.scopes.has('admin');
}

/** The caller as operations know one: by nothing where no token has named one. */
export function callerOf(identity: Identity | undefined) {
  if (identity === undefined) return {};
  const { subject, groups, scopes } = identity;
  return { subject, groups, scopes };
}

type Person = Pick<Identity, 'issuer' | 'subject' | 'clientId'>;

/** Whether two callers are the same. */
export function isSame(one: Person | undefined, other: Person | undefined): boolean {
  return one?.issuer === other?.issuer && one?.subject === other?.subject && one?.clientId === other?.clientId;
}
