import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../core/log.ts';
import type { Exchange } from '../../http/exchange.ts';
import { createSessions, type Sessions } from './sessions.ts';

const limit = 8;
const log = createLogger({ level: 'silent', format: 'text', write: () => {} });

/** Opens a session from an address; null where there is no room. */
function openFrom(sessions: Sessions<null>, address: string, id: string): string | null {
  const exchange = { client: { peer: address }, response: { headersSent: true } } as Exchange;
  if (!sessions.admits(exchange)) return null;
  sessions.add({ id, transport: null, server: { close: async () => {} } as never }, exchange);
  return id;
}

function flooded(): Sessions<null> {
  const sessions = createSessions<null>(60_000, log, limit);
  for (let at = 0; at < 100; at++) expect(openFrom(sessions, '192.0.2.1', `flood-${at}`)).not.toBeNull();
  return sessions;
}

const nothing = async (): Promise<void> => {};

/** A caller without an access token. */
const anyone = { identity: undefined };

describe('a flood of sessions from one address', () => {
  it('takes no more than its share, its newest being kept, and leaves room for others', async () => {
    const sessions = flooded();
    expect(Array.from({ length: 100 }, (_, at) => sessions.get(`flood-${at}`, anyone)).filter(Boolean)).toHaveLength(
      limit * 0.75,
    );
    expect(sessions.get('flood-93', anyone)).toBeUndefined();
    expect(sessions.get('flood-94', anyone)).toBeDefined();
    for (const id of ['a', 'b', 'c', 'd']) expect(openFrom(sessions, '192.0.2.2', id)).toBe(id);
    for (const id of ['a', 'b', 'c', 'd']) expect(sessions.get(id, anyone)).toBeDefined();
    await sessions.close();
  });

  it('ends those that were never used first, and none that is in use', async () => {
    const sessions = createSessions<null>(60_000, log, limit);
    const [used, busy] = ['used', 'busy'].map((id) => sessions.get(openFrom(sessions, '192.0.2.1', id) ?? '', anyone));
    if (used === undefined || busy === undefined) throw new Error('no session');
    await sessions.use(used, nothing);
    let end = (): void => {};
    const work = sessions.use(busy, () => new Promise((resolve) => (end = resolve)));
    for (let at = 0; at < 100; at++) openFrom(sessions, '192.0.2.1', `flood-${at}`);
    expect([sessions.get('used', anyone), sessions.get('busy', anyone)]).toEqual([used, busy]);
    // When all others are used as well, the least recently used one goes; the one in use stays.
    for (const at of [96, 97, 98, 99]) {
      const session = sessions.get(`flood-${at}`, anyone);
      if (session !== undefined) await sessions.use(session, nothing);
    }
    openFrom(sessions, '192.0.2.1', 'one more');
    expect([sessions.get('used', anyone), sessions.get('busy', anyone)]).toEqual([undefined, busy]);
    end();
    await work;
    await sessions.close();
  });

  it('is refused where each of them is in use, and another address is not', async () => {
    const sessions = createSessions<null>(60_000, log, limit);
    const streams: (() => void)[] = [];
    for (let at = 0; at < limit * 0.75; at++) {
      const session = sessions.get(openFrom(sessions, '192.0.2.1', `stream-${at}`) ?? '', anyone);
      if (session !== undefined) void sessions.use(session, () => new Promise((resolve) => streams.push(resolve)));
    }
    expect(openFrom(sessions, '192.0.2.1', 'one more')).toBeNull();
    expect(openFrom(sessions, '192.0.2.2', 'other')).toBe('other');
    for (const end of streams) end();
    await sessions.close();
  });
});
