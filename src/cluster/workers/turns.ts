import { SkillError } from '../../core/errors.ts';

/** Executions that wait to be offered, each in the line of whoever wants it. */
export interface Turns {
  /** Waits for a turn, and returns what ends it. Rejects when the signal is aborted, or too many wait. */
  take(who: string, signal: AbortSignal): Promise<() => void>;
}

const mostWaiting = 4096;

/** Gives turns one at a time, and around: whoever asks for a thousand things waits behind whoever asks for one. */
export function createTurns(): Turns {
  const lines = new Map<string, (() => void)[]>();
  let isTaken = false;
  let waiting = 0;

  const next = (): void => {
    const [first] = lines;
    if (first === undefined) {
      isTaken = false;
      return;
    }
    const [who, line] = first;
    const begin = line.shift();
    lines.delete(who);
    if (line.length > 0) lines.set(who, line); // behind all others
    begin?.();
  };

  return {
    async take(who, signal) {
      signal.throwIfAborted();
      if (isTaken) {
        if (waiting >= mostWaiting) {
          throw new SkillError('busy', `${mostWaiting} executions wait for workers already`, {
            hint: 'Try again later.',
          });
        }
        waiting++;
        await new Promise<void>((resolve, reject) => {
          const line = lines.get(who) ?? [];
          const leave = (): void => {
            line.splice(line.indexOf(begin), 1);
            if (line.length === 0) lines.delete(who);
            reject(signal.reason);
          };
          const begin = (): void => {
            signal.removeEventListener('abort', leave);
            resolve();
          };
          signal.addEventListener('abort', leave, { once: true });
          line.push(begin);
          lines.set(who, line);
        }).finally(() => waiting--);
      }
      isTaken = true;
      return next;
    },
  };
}
