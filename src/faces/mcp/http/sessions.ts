import type { Server } from '@modelcontextprotocol/server';
import type { Logger } from '../../../core/log.ts';
import type { SessionHealth } from '../../../engine/operations/machine/health.ts';
import { refuse } from '../../http/answers.ts';
import { createShares } from '../../http/clients.ts';
import type { Exchange } from '../../http/exchange.ts';
import { type Identity, isSame } from '../../http/identity.ts';
import { sessionNameOf } from '../protocol/caller.ts';
import { codes } from '../protocol/messages.ts';

/** A client of the handshake era between its first request and its last. */
export interface Session<T> {
  readonly id: string;
  /** The peer that opened it. */
  readonly peer: string;
  /** The caller that opened it, where an access token named one. */
  readonly owner: Identity | undefined;
  readonly transport: T;
  readonly server: Server;
  /** Number of requests under way: while there are any, or a stream is open, the session is not idle. */
  busy: number;
  /** Whether anything came after the handshake. */
  isUsed: boolean;
  isReady: boolean;
  readonly since: number;
  lastUsed: number;
}

/** Sessions by their ids. Unused ones are ended; a limit keeps a flood of new ones from taking all memory. */
export interface Sessions<T> {
  /** Whether one more session may be opened, ending an idle one where there are many; answers the client where not. */
  admits(exchange: Exchange): boolean;
  /** The session of that id, for the caller that opened it: another client's id opens nothing. */
  get(id: string, caller: Pick<Exchange, 'identity'>): Session<T> | undefined;
  add(session: Pick<Session<T>, 'id' | 'transport' | 'server'>, opener: Exchange): Session<T>;
  delete(id: string): void;
  /** Marks a session as used for as long as the work takes. */
  use(session: Session<T>, work: () => Promise<void>): Promise<void>;
  each(act: (session: Session<T>) => void): void;
  /** Lists the sessions, for the people who run the server. */
  list(): readonly SessionHealth[];
  close(): Promise<void>;
}

const mostSessions = 10_000;
const tooMany = 'This server has as many sessions as it can hold, all of them in use; try again later';

export function createSessions<T>(timeoutMs: number, log: Logger, limit = mostSessions): Sessions<T> {
  const sessions = new Map<string, Session<T>>();
  const isIdle = ({ busy }: Session<T>): boolean => busy === 0;
  const shares = createShares<Session<T>>({
    limit,
    idle: [(session) => isIdle(session) && !session.isUsed, isIdle],
    giveUp: (session) => end(session, 'an idle session was ended: there are too many'),
  });
  const sweep = setInterval(expire, Math.max(50, Math.min(timeoutMs / 4, 60_000))).unref();

  function expire(): void {
    const before = Date.now() - timeoutMs;
    for (const session of sessions.values()) {
      if (isIdle(session) && session.lastUsed < before) end(session, 'a session has expired');
    }
  }

  function end(session: Session<T>, reason: string): void {
    forget(session);
    log.debug(reason, { sessions: sessions.size });
    session.server.close().catch(() => {}); // it is gone either way
  }

  function forget(session: Session<T>): void {
    sessions.delete(session.id);
    shares.remove(session.peer, session);
  }

  return {
    admits(exchange) {
      if (shares.makeRoom(exchange.client.peer)) return true;
      refuse(exchange, 503, codes.refused, tooMany, { 'Retry-After': '5' });
      return false;
    },
    get(id, { identity }) {
      const session = sessions.get(id);
      return session !== undefined && isSame(session.owner, identity) ? session : undefined;
    },
    add(given, opener) {
      const now = Date.now();
      const {
        identity: owner,
        client: { peer },
      } = opener;
      const session = { ...given, peer, owner, busy: 0, isUsed: false, isReady: false, since: now, lastUsed: now };
      given.server.oninitialized = () => {
        session.isReady = true;
      };
      sessions.set(session.id, session);
      shares.add(peer, session);
      log.debug('a session has started', { sessions: sessions.size });
      return session;
    },
    delete(id) {
      const session = sessions.get(id);
      if (session !== undefined) forget(session);
    },
    async use(session, work) {
      session.busy++;
      session.isUsed = true;
      try {
        await work();
      } finally {
        session.busy--;
        session.lastUsed = Date.now();
        shares.touch(session.peer, session);
      }
    },
    each: (act) => sessions.forEach(act),
    list: () => [...sessions.values()].map(healthOf),
    async close() {
      clearInterval(sweep);
      const all = [...sessions.values()];
      sessions.clear();
      await Promise.allSettled(all.map(({ server }) => server.close()));
    },
  };
}

function healthOf<T>({ server, since, lastUsed, busy }: Session<T>): SessionHealth {
  return {
    client: sessionNameOf(server) ?? '',
    since: new Date(since).toISOString(),
    lastUsed: new Date(lastUsed).toISOString(),
    busy,
  };
}
