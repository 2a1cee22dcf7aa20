import { SkillError } from '../../kernel/errors.ts';
import { count } from '../../kernel/text.ts';

export interface AdmissionLimits {
  /** Runs at the same time in all. */
  readonly maxConcurrent: number;
  /** Runs of one skill at the same time. */
  readonly maxConcurrentPerSkill: number;
  /** Runs that wait. */
  readonly maxQueue: number;
}

export interface Admission {
  /** Waits for a place; resolves with a function that gives it back. Rejects when the queue is full, or on abort. */
  enter(skill: string, signal: AbortSignal): Promise<() => void>;
  /** Whether a run of this skill would be let in at once. */
  hasRoom(skill: string): boolean;
  /** How many run, and how many wait. */
  readonly running: number;
  readonly waiting: number;
}

interface Waiting {
  readonly admit: () => void;
}

/**
 * Lets in as many runs as the limits allow. Who waits is let in by turns, skill by skill: a thousand calls of one skill
 * do not keep the first call of another waiting.
 */
export function createAdmission({ maxConcurrent, maxConcurrentPerSkill, maxQueue }: AdmissionLimits): Admission {
  const running = new Map<string, number>();
  /** Skills with someone waiting, in the order of their turns. */
  const queues = new Map<string, Set<Waiting>>();
  let total = 0;
  let waiting = 0;

  const isFree = (skill: string): boolean => total < maxConcurrent && (running.get(skill) ?? 0) < maxConcurrentPerSkill;
  const hasRoom = (skill: string): boolean => isFree(skill) && !queues.has(skill);

  function take(skill: string): () => void {
    total++;
    running.set(skill, (running.get(skill) ?? 0) + 1);
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      total--;
      const left = (running.get(skill) ?? 1) - 1;
      if (left > 0) running.set(skill, left);
      else running.delete(skill);
      admitNext();
    };
  }

  function admitNext(): void {
    for (const [skill, queue] of queues) {
      if (total >= maxConcurrent) return;
      const [first] = queue;
      if (first === undefined || !isFree(skill)) continue;
      drop(skill, queue, first);
      if (queue.size > 0) {
        // Its next call waits until all others had their turn.
        queues.delete(skill);
        queues.set(skill, queue);
      }
      first.admit();
    }
  }

  function drop(skill: string, queue: Set<Waiting>, one: Waiting): void {
    if (!queue.delete(one)) return;
    waiting--;
    if (queue.size === 0) queues.delete(skill);
  }

  return {
    get running() {
      return total;
    },
    get waiting() {
      return waiting;
    },
    hasRoom,
    async enter(skill, signal) {
      signal.throwIfAborted();
      if (hasRoom(skill)) return take(skill);
      if (waiting >= maxQueue) {
        throw new SkillError('busy', `${count(waiting, 'run')} are waiting already, which is the most allowed`, {
          hint: 'Try again later, or raise `queue` under [concurrency] in the policy file.',
        });
      }
      const queue = queues.get(skill) ?? new Set();
      queues.set(skill, queue);
      waiting++;
      return new Promise((resolve, reject) => {
        const one: Waiting = {
          admit() {
            signal.removeEventListener('abort', leave);
            resolve(take(skill));
          },
        };
        const leave = (): void => {
          drop(skill, queue, one);
          reject(signal.reason);
        };
        queue.add(one);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
