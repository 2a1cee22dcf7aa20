import type { Duplex } from 'node:stream';
import type { Running } from '../supervise.ts';
import type { Enforcement } from '../types.ts';
import { type Talk, talkOver } from './channel.ts';

/** A child of its own for one run, whatever keeps it in. It gets ready by itself, and then waits for its order. */
export interface Child {
  readonly running: Running;
  readonly talk: Talk;
  readonly enforcement: readonly Enforcement[];
  /** Whether this process may end while the child has not. */
  keepAlive(whether: 'yes' | 'no'): void;
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
  return {
    running: started,
    talk: talkOver(channel),
    enforcement: started.enforcement,
    keepAlive: (whether) => started.keepAlive(whether),
  };
}
