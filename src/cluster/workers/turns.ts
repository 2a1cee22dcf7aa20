import { SkillError } from '../../core/errors.ts';

/** Executions that wait to be offered to the same workers, each in the line of whoever wants it. */
export interface Turns {
  /** Waits for a turn, and returns what ends it. Rejects when the signal is aborted, or too many wait. */
  take(who: Waiter, signal: AbortSignal): Promise<() => void>;
  /** Number of those that wait, whoever has the turn included. */
  readonly waiting: number;
  /** Number of users that wait. */
  readonly users: number;
  /** The time of the monotonic clock when one was last taken by a worker. */
  placedAt: number;
}

/** The user and the skill that an execution is for. */
export interface Waiter {
  readonly user: string;
  readonly skill: string;
}

const mostWaiting = 4096;

/**
 * Gives turns one at a time, and around: first among users, and then among the skills of each. Whoever asks for a
 * thousand things waits behind whoever asks for one, however many skills they are spread over.
 */
export function createTurns(): Turns {
  const users = new Map<string, Map<string, (() => void)[]>>();
  let turn: Waiter | null = null;
  let waiting = 0;

  const next = (): void => {
    const [first] = users;
    if (first === undefined) {
      turn = null;
      return;
    }
    const [user, skills] = first;
    for (const [skill, line] of [...skills].slice(0, 1)) {
      const begin = line.shift();
      turn = { user, skill };
      moveBehind(skills, skill, line.length);
      moveBehind(users, user, skills.size);
      begin?.();
    }
  };

  /** Queues up, and returns what leaves the line. */
  function queueUp({ user, skill }: Waiter, begin: () => void): () => void {
    const skills = users.get(user) ?? new Map<string, (() => void)[]>();
    const line = skills.get(skill) ?? [];
    line.push(begin);
    users.set(user, skills.set(skill, line));
    return () => {
      line.splice(line.indexOf(begin), 1);
      if (line.length === 0) skills.delete(skill);
      if (skills.size === 0) users.delete(user);
    };
  }

  return {
    placedAt: 0,
    get waiting() {
      return waiting + (turn === null ? 0 : 1);
    },
    get users() {
      return new Set([...users.keys(), ...(turn === null ? [] : [turn.user])]).size;
    },
    async take(who, signal) {
      signal.throwIfAborted();
      if (turn !== null) {
        if (waiting >= mostWaiting) {
          throw new SkillError('busy', `${mostWaiting} executions wait for workers already`, {
            hint: 'Try again later.',
          });
        }
        waiting++;
        await new Promise<void>((resolve, reject) => {
          const leave = queueUp(who, () => {
            signal.removeEventListener('abort', giveUp);
            resolve();
          });
          const giveUp = (): void => {
            leave();
            reject(signal.reason);
          };
          signal.addEventListener('abort', giveUp, { once: true });
        }).finally(() => waiting--);
      }
      turn = who;
      return next;
    },
  };
}

/** Puts an entry behind all others; one that has nothing left goes. */
function moveBehind<V>(map: Map<string, V>, key: string, left: number): void {
  const value = map.get(key) as V;
  map.delete(key);
  if (left > 0) map.set(key, value);
}
