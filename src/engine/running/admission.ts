import { SkillError } from '../../kernel/errors.ts';
import { count } from '../../kernel/text.ts';
import type { FolderUse } from './folder-use.ts';
import type { Blocked, PlaceLimits, Places } from './places.ts';

export interface AdmissionLimits extends PlaceLimits {
  /** Runs that wait. */
  readonly maxQueue: number;
}

export interface Entering {
  /** Folders that others may have to be done with. */
  readonly folders?: FolderUse | null;
  /** Called where it has to wait. */
  readonly waits?: () => void;
}

export interface Admission {
  /**
   * Waits for a place; resolves with a function that gives it back. Rejects when the queue is full, or on abort.
   */
  enter(skill: string, signal: AbortSignal, more?: Entering): Promise<() => void>;
  /** How many run, and how many wait, in this process. */
  readonly running: number;
  readonly waiting: number;
}

interface Waiting {
  readonly folders: FolderUse | null;
  readonly admit: (leave: () => void) => void;
}

/** How often it is looked whether another process has given back a place. */
const lookMs = 20;

/**
 * Lets in as many runs as the limits allow, of this process and, where they share their places, of others. Who waits is
 * let in by turns, skill by skill: a thousand calls of one skill do not keep the first call of another waiting.
 */
export function createAdmission(limits: AdmissionLimits, places?: Places): Admission {
  const { maxConcurrent, maxConcurrentPerSkill, maxQueue } = limits;
  const running = new Map<string, number>();
  /** Skills with someone waiting, in the order of their turns. */
  const queues = new Map<string, Set<Waiting>>();
  let total = 0;
  let waiting = 0;
  let blocked: Blocked = 'total';
  let timer: NodeJS.Timeout | undefined;
  let told = '0 total';

  /** Null where there is no place. */
  function take(skill: string, folders: FolderUse | null): (() => void) | null {
    if (total >= maxConcurrent) blocked = 'total';
    else if ((running.get(skill) ?? 0) >= maxConcurrentPerSkill) blocked = 'skill';
    else {
      const place = places?.take(skill, folders) ?? (() => undefined);
      if (typeof place === 'function') return taken(skill, place);
      blocked = place;
    }
    return null;
  }

  function taken(skill: string, giveBack: () => void): () => void {
    total++;
    running.set(skill, (running.get(skill) ?? 0) + 1);
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      giveBack();
      total--;
      const left = (running.get(skill) ?? 1) - 1;
      if (left > 0) running.set(skill, left);
      else running.delete(skill);
      admitNext();
    };
  }

  function admitNext(): void {
    for (const [skill, queue] of queues) {
      const [first] = queue;
      if (first === undefined) continue;
      const leave = take(skill, first.folders);
      if (leave === null && blocked === 'total') break;
      if (leave === null) continue;
      drop(skill, queue, first);
      passTurn(skill, queue);
      first.admit(leave);
    }
    settle();
  }

  /** The next call of a skill waits until all others had their turn. */
  function passTurn(skill: string, queue: Set<Waiting>): void {
    if (queue.size === 0) return;
    queues.delete(skill);
    queues.set(skill, queue);
  }

  /** Tells other processes how many wait here, and looks again later whether they have given back a place. */
  function settle(): void {
    if (places === undefined) return;
    const now = `${waiting} ${blocked}`;
    if (now !== told) places.wait(waiting, blocked);
    told = now;
    clearTimeout(timer);
    if (waiting > 0) timer = setTimeout(admitNext, lookMs);
  }

  function drop(skill: string, queue: Set<Waiting>, one: Waiting): void {
    if (!queue.delete(one)) return;
    waiting--;
    if (queue.size === 0) queues.delete(skill);
  }

  /** Says that one more waits, unless too many do. */
  function queueUp(): void {
    waiting++;
    settle();
    const all = places?.waiting() ?? waiting;
    if (all <= maxQueue) return;
    waiting--;
    settle();
    throw new SkillError('busy', `${count(all - 1, 'run is', 'runs are')} waiting already, which is the most allowed`, {
      hint: 'Try again later, or raise `queue` under [concurrency] in the policy file.',
    });
  }

  return {
    get running() {
      return total;
    },
    get waiting() {
      return waiting;
    },
    async enter(skill, signal, { folders = null, waits } = {}) {
      signal.throwIfAborted();
      const leave = queues.has(skill) ? null : take(skill, folders);
      if (leave !== null) return leave;
      queueUp();
      waits?.();
      const queue = queues.get(skill) ?? new Set();
      queues.set(skill, queue);
      return new Promise((resolve, reject) => {
        const one: Waiting = {
          folders,
          admit(place) {
            signal.removeEventListener('abort', giveUp);
            resolve(place);
          },
        };
        const giveUp = (): void => {
          drop(skill, queue, one);
          settle();
          reject(signal.reason);
        };
        queue.add(one);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
