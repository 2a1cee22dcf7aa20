import { SkillError } from '../../core/errors.ts';
import { count } from '../../core/text.ts';
import type { FolderUse } from './folder-use.ts';
import type { Blocked, Claim, PlaceLimits, Places } from './places.ts';

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

interface Waiting extends Claim {
  /** What others of the same skill that use the same folders share. */
  readonly key: string;
  /** Whether it waits for its folders; others of its skill need not wait for it then. */
  isClaiming: boolean;
  readonly admit: (leave: () => void) => void;
}

/** How often it is looked whether another process has given back a place. */
const lookMs = 20;

/**
 * Lets in as many runs as the limits allow, of this process and, where they share their places, of others. Who waits is
 * let in by turns, skill by skill: a thousand calls of one skill do not keep the first call of another waiting. Who waits
 * for folders is passed by those who do not need them, and by nobody who came later and does.
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
  function take(skill: string, claim: Claim): (() => void) | null {
    if (total >= maxConcurrent) blocked = 'total';
    else if ((running.get(skill) ?? 0) >= maxConcurrentPerSkill) blocked = 'skill';
    else {
      const place = places?.take(skill, claim) ?? (() => undefined);
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
      const next = firstOf(skill, queue);
      if (next === null && blocked === 'total') break;
      if (next === null) continue;
      drop(skill, queue, next.one);
      passTurn(skill, queue);
      next.one.admit(next.leave);
    }
    settle();
  }

  /** The first that there is a place for, with its place; who waits for folders is passed by who does not. */
  function firstOf(skill: string, queue: Set<Waiting>): { one: Waiting; leave: () => void } | null {
    const waitedFor = new Set<string>();
    for (const one of queue) {
      if (waitedFor.has(one.key)) continue;
      const leave = take(skill, one);
      if (leave !== null) return { one, leave };
      if (blocked !== 'total') one.isClaiming = blocked === 'folder';
      if (blocked !== 'folder') return null;
      waitedFor.add(one.key);
    }
    return null;
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
    places.claim([...queues.values()].flatMap((queue) => [...queue].filter(({ isClaiming }) => isClaiming)));
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
      const queue = queues.get(skill) ?? new Set();
      const claim = { folders, since: Date.now() };
      const key = JSON.stringify(folders);
      const isFirst = [...queue].every((other) => other.isClaiming && other.key !== key);
      const leave = isFirst ? take(skill, claim) : null;
      if (leave !== null) return leave;
      queueUp();
      waits?.();
      queues.set(skill, queue);
      return new Promise((resolve, reject) => {
        const one: Waiting = {
          ...claim,
          key,
          isClaiming: isFirst && blocked === 'folder',
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
        settle();
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
