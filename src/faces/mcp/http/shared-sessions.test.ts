import { describe, expect, it } from 'vitest';
import type { KeptSession, SessionStore } from '../../../engine/cluster/sessions.ts';
import type { Identity } from '../../http/identity.ts';
import { createSharedSessions } from './shared-sessions.ts';

const person = (subject: string): Identity => ({
  issuer: 'https://login.example.com',
  subject,
  scopes: new Set(['skills:read']),
  groups: [],
  expiresAt: 0,
});

function storeOf(kept: Map<string, KeptSession>, log: string[] = []): SessionStore {
  return {
    async keep(id, session) {
      log.push(`keep ${id}`);
      kept.set(id, session);
      return true;
    },
    find: async (id) => kept.get(id),
    async forget(id) {
      log.push(`forget ${id}`);
      kept.delete(id);
    },
  };
}

describe('a session that servers share', () => {
  it('is continued for the caller who opened it, and for nobody else', async () => {
    const kept = new Map<string, KeptSession>();
    await createSharedSessions(storeOf(kept), 1000).opened('a', { opening: 1 }, person('ann'));
    const other = createSharedSessions(storeOf(kept), 1000);
    expect(await other.openingOf('a', person('ann'))).toEqual({ opening: 1 });
    expect(await other.openingOf('a', person('bob'))).toBeUndefined();
    expect(await other.openingOf('a', undefined)).toBeUndefined();
    expect(await other.openingOf('b', person('ann'))).toBeUndefined();
  });

  it('is kept again while it is used, but not with every request', async () => {
    const log: string[] = [];
    const kept = new Map<string, KeptSession>();
    const shared = createSharedSessions(storeOf(kept, log), 60_000);
    await shared.opened('a', {}, undefined);
    shared.used('a');
    expect(log).toEqual(['keep a']);
    const other = createSharedSessions(storeOf(kept, log), 60_000);
    await other.openingOf('a', undefined);
    other.used('a');
    other.used('a');
    expect(log).toEqual(['keep a', 'keep a']);
  });

  it('is kept with its next use where it could not be kept before', async () => {
    const kept = new Map<string, KeptSession>();
    const store = storeOf(kept);
    let isAway = true;
    const shared = createSharedSessions(
      { ...store, keep: async (id, session) => !isAway && store.keep(id, session) },
      60_000,
    );
    await shared.opened('a', {}, undefined);
    expect(kept.size).toBe(0);
    isAway = false;
    shared.used('a');
    await expect.poll(() => kept.size).toBe(1);
  });
});
