import type { KeptSession, SessionStore } from '../../../engine/cluster/sessions.ts';
import { type Identity, isSame } from '../../http/identity.ts';

/** The sessions of this server that others can continue, and theirs that this one can. */
export interface SharedSessions {
  /** Shares a session, with the request that opened it; resolves before the client is answered, who may ask another server next. */
  opened(id: string, opening: unknown, owner: Identity | undefined): Promise<void>;
  /** The request that opened a session on another server, for the caller who did. Rejects where nobody can tell just now. */
  openingOf(id: string, caller: Identity | undefined): Promise<unknown>;
  /** Keeps a session from expiring while it is used here. */
  used(id: string): void;
  /** Forgets a session here; those of other servers expire, unless its client has ended it. */
  closed(id: string): void;
  /** Ends a session everywhere. */
  ended(id: string): Promise<void>;
}

/** Creates the shared sessions of a server. A store whose sessions expire is told of them again before they do. */
export function createSharedSessions(store: SessionStore, timeoutMs: number): SharedSessions {
  const known = new Map<string, { readonly session: KeptSession; keptAt: number }>();
  /** Keeps a session; one that could not be kept is kept with its next use. */
  async function keep(id: string): Promise<void> {
    const one = known.get(id);
    if (one === undefined) return;
    one.keptAt = Date.now();
    if (!(await store.keep(id, one.session))) one.keptAt = 0;
  }
  return {
    opened(id, opening, owner) {
      known.set(id, { session: { opening, owner: ownerOf(owner) }, keptAt: 0 });
      return keep(id);
    },
    async openingOf(id, caller) {
      const session = await store.find(id);
      if (session === undefined || !isSame(session.owner ?? undefined, caller)) return undefined;
      known.set(id, { session, keptAt: 0 });
      return session.opening;
    },
    used(id) {
      if (Date.now() - (known.get(id)?.keptAt ?? 0) >= timeoutMs / 4) void keep(id);
    },
    closed: (id) => void known.delete(id),
    ended: (id) => store.forget(id),
  };
}

function ownerOf(identity: Identity | undefined): KeptSession['owner'] {
  if (identity === undefined) return null;
  const { issuer, subject, clientId } = identity;
  return { issuer, subject, ...(clientId !== undefined && { clientId }) };
}
