import type { Duplex } from 'node:stream';
import type { Waiting } from '../pool.ts';
import type { Running } from '../supervise.ts';
import type { Enforcement } from '../types.ts';
import { type Talk, talkOver } from './channel.ts';

/** A child of its own for one run, whatever keeps it in. It gets ready by itself, and then waits for its order. */
export interface Child extends Waiting {
  readonly running: Running;
  readonly talk: Talk;
  readonly enforcement: readonly Enforcement[];
}

/** What is known of a child that has been started. */
interface Started extends Running {
  readonly channel: Duplex | null;
  readonly enforcement: readonly Enforcement[];
  keepAlive(whether: 'yes' | 'no'): void;
}

export function childOf(started: Started): Child {
  const { channel } = started;
  if (channel === null) throw new Error('a child without a channel');
  const talk = talkOver(channel);
  return {
    running: started,
    talk,
    ready: talk.ready,
    ended: started.ended,
    end: async () => {
      started.kill();
      await started.ended;
    },
    enforcement: started.enforcement,
    keepAlive: (whether) => started.keepAlive(whether),
  };
}
