import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { KV } from '@nats-io/kv';
import { SkillError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { count, oneLine } from '../../core/text/text.ts';
import { openKeys } from '../buckets.ts';
import type { Cluster } from '../connection.ts';
import { patiently } from '../patience.ts';
import { placeTimeoutMs } from './messages.ts';
import { createTurns, type Turns } from './turns.ts';

/** The places of each user for executions under way, which all servers of a cluster count together. */
export interface Quota {
  /** Waits for a place, and returns what gives it back. Rejects where there is none for a while. */
  enter(user: string, skill: string, signal: AbortSignal): Promise<() => void>;
}

/** Milliseconds for which a place is held unless it is renewed, and those between renewals: a server may die. */
const [heldMs, renewMs] = [15_000, 5000];
/** Milliseconds between two looks at whether a place is free. */
const pauseMs = 100;

/** Keeps each place as a key: whoever makes it has the place, and no two servers can. */
export function createQuota(cluster: Cluster, most: number): Quota {
  const lines = new Map<string, Turns>();
  let opened: Promise<KV> | undefined;
  const open = (): Promise<KV> => {
    opened ??= cluster
      .reached()
      .then((connection) => patiently(() => openKeys(connection, cluster.names.places, 1, heldMs)));
    opened.catch(() => {
      opened = undefined; // the next one tries again
    });
    return opened;
  };

  /** Takes a place where one is free. */
  async function take(keys: KV, prefix: string): Promise<(() => void) | null> {
    // Servers begin at different places, so that they seldom try for the same one.
    const first = Math.floor(Math.random() * most);
    for (let tried = 0; tried < most; tried++) {
      const key = `${prefix}.${(first + tried) % most}`;
      if (await isMade(keys, key)) return held(keys, key);
    }
    return null;
  }

  return {
    async enter(user, skill, signal) {
      const keys = await open();
      const prefix = sha256(user).slice(0, 32);
      const line = lines.get(prefix) ?? createTurns();
      lines.set(prefix, line);
      const arrived = performance.now();
      const leave = await line.take({ user, skill }, signal);
      try {
        for (const until = Math.max(arrived, line.placedAt) + placeTimeoutMs; ; ) {
          const giveBack = await take(keys, prefix);
          if (giveBack !== null) {
            line.placedAt = performance.now();
            return giveBack;
          }
          if (performance.now() > until) throw tooMany(user, most);
          await delay(pauseMs, undefined, { signal });
        }
      } finally {
        leave();
        if (line.waiting === 0) lines.delete(prefix);
      }
    },
  };
}

/** Makes a key that nobody else has made. */
async function isMade(keys: KV, key: string): Promise<boolean> {
  try {
    await keys.create(key, randomUUID());
    return true;
  } catch {
    return false; // somebody was quicker, or it is not known: the next look tells
  }
}

/** Renews a place until it is given back. */
function held(keys: KV, key: string): () => void {
  const timer = setInterval(() => void keys.put(key, randomUUID()).catch(() => {}), renewMs); // it is tried again
  return () => {
    clearInterval(timer);
    void keys.purge(key).catch(() => {}); // it ends by itself, later
  };
}

function tooMany(user: string, most: number): SkillError {
  const what = `${count(most, 'execution')} of ${oneLine(user)} ${most === 1 ? 'is' : 'are'} under way`;
  return new SkillError('busy', `${what}, which is the most at once`, {
    hint: 'Nothing was run. Try again when one has ended; `max_per_subject` on the server says how many there may be.',
  });
}
