import type { Server } from '@modelcontextprotocol/server';
import type { SessionHealth } from '../../engine/operations/health.ts';
import type { Logger } from '../../kernel/log.ts';
import { sessionNameOf } from '../client-name.ts';

/** A client of the handshake era between its first request and its last. */
export interface Session<T> {
  readonly transport: T;
  readonly server: Server;
  /** Requests under way: while there are any, and while a stream is open, nothing is idle. */
  busy: number;
  isReady: boolean;
  readonly since: number;
  lastUsed: number;
}

/** Sessions by their ids. Those that nobody uses are ended; a limit keeps a flood of new ones from taking all memory. */
export interface Sessions<T> {
  readonly size: number;
  get(id: string): Session<T> | undefined;
  add(id: string, session: Pick<Session<T>, 'transport' | 'server'>): Session<T>;
  delete(id: string): void;
  /** Marks a session as used for as long as the work takes. */
  use(session: Session<T>, work: () => Promise<void>): Promise<void>;
  each(act: (session: Session<T>) => void): void;
  /** Who is there, for the people who run the server. */
  list(): readonly SessionHealth[];
  close(): Promise<void>;
}

export const mostSessions = 10_000;
/** What whoever comes after them is told. */
export const tooManySessions = `This server already has ${mostSessions} sessions; try again later`;

export function createSessions<T>(timeoutMs: number, log: Logger): Sessions<T> {
  const sessions = new Map<string, Session<T>>();
  const sweep = setInterval(expire, Math.max(50, Math.min(timeoutMs / 4, 60_000))).unref();

  function expire(): void {
    const before = Date.now() - timeoutMs;
    for (const [id, session] of sessions) {
      if (session.busy === 0 && session.lastUsed < before) end(id, session);
    }
  }

  function end(id: string, { server }: Session<T>): void {
    sessions.delete(id);
    log.debug('a session has expired', { sessions: sessions.size });
    server.close().catch(() => {}); // it is gone either way
  }

  return {
    get size() {
      return sessions.size;
    },
    get: (id) => sessions.get(id),
    add(id, { transport, server }) {
      const now = Date.now();
      const session = { transport, server, busy: 0, isReady: false, since: now, lastUsed: now };
      server.oninitialized = () => {
        session.isReady = true;
      };
      sessions.set(id, session);
      log.debug('a session has started', { sessions: sessions.size });
      return session;
    },
    delete: (id) => sessions.delete(id),
    async use(session, work) {
      session.busy++;
      try {
        await work();
      } finally {
        session.busy--;
        session.lastUsed = Date.now();
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
