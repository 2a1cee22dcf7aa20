import { SkillError } from '../../../core/errors.ts';
import { count } from '../../../core/text/text.ts';
import type { FolderUse } from './folder-use.ts';
import type { Blocked, Claim, PlaceLimits, Places } from './places.ts';

export interface AdmissionLimits extends PlaceLimits {
  /** Maximum number of runs that wait. */
  readonly maxQueue: number;
}

interface Entering {
  /** Folders for which the run may have to wait until others are done with them. */
  readonly folders?: FolderUse | null;
  /** Callback for when the run has to wait. */
  readonly waits?: () => void;
}

export interface Admission {
  /** Waits for a place; resolves with a function that gives it back. Rejects when the queue is full, or on abort. */
  enter(skill: string, signal: AbortSignal, more?: Entering): Promise<() => void>;
  /** Number of runs under way in this process; `waiting` counts those that wait. */
  readonly running: number;
  readonly waiting: number;
}

interface Waiting extends Claim {
  /** Key shared by runs of the same skill that use the same folders. */
  readonly key: string;
  /** Whether the run waits for its folders; others of its skill need not wait for it then. */
  isClaiming: boolean;
  readonly admit: (leave: () => void) => void;
}

/** Milliseconds between checks whether another process has given back a place. */
const lookMs = 20;

/**
 * Admits as many runs as the limits allow, of this process and, where they share their places, of others. Waiting runs
 * are admitted by turns, skill by skill: a thousand calls of one skill do not keep the first call of another waiting. A
 * run that waits for folders is passed by runs that do not need them, and by no later run that does.
 */
export function createAdmission(limits: AdmissionLimits, places?: Places): Admission {
  const { maxConcurrent, maxConcurrentPerSkill, maxQueue } = limits;
  const running = new Map<string, number>();
  /** Skills with runs waiting, in the order of their turns. */
  const queues = new Map<string, Set<Waiting>>();
  let total = 0;
  let waiting = 0;
  let blocked: Blocked = 'total';
  let timer: NodeJS.Timeout | undefined;
  let told = '0 total';

  /** Takes a place; null if there is none. */
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

  /** The first run that there is a place for, with its place; one that waits for folders is passed by others. */
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

  /** Moves a skill to the end of the queue: its next call waits until all others had their turn. */
  function passTurn(skill: string, queue: Set<Waiting>): void {
    if (queue.size === 0) return;
    queues.delete(skill);
    queues.set(skill, queue);
  }

  /** Reports to other processes how many runs wait here, and schedules the next check for places given back. */
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

  /** Registers one more waiting run, or throws if too many wait. */
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
