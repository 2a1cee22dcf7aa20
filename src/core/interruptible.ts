import { type Context, createContext, Script } from 'node:vm';

/** Thrown when work did not finish in its time. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

const script = new Script('work()');
let context: Context | undefined;

/**
 * The longest time allowed, in milliseconds: the limit is raised up to this while the machine is too busy to let us use
 * it.
 */
const longestMs = 3200;

/**
 * Runs synchronous work that a third party may have made endless, such as a regular expression of theirs, and aborts it
 * after this many milliseconds of work. On a busy machine these take longer, and the work is started again: it must not
 * matter how often that happens. Costs a tenth of a millisecond.
 */
export function interruptible<T>(ms: number, work: () => T): T {
  for (let time = ms; ; time *= 2) {
    const before = process.cpuUsage();
    try {
      return withinTime(time, work);
    } catch (error) {
      const used = process.cpuUsage(before);
      const isDue = (used.user + used.system) / 1000 >= ms * 0.9;
      if (!(error instanceof Interrupted) || isDue || time * 2 > longestMs) throw error;
    }
  }
}

function withinTime<T>(ms: number, work: () => T): T {
  context ??= createContext({}, { codeGeneration: { strings: false, wasm: false } });
  context['work'] = work;
  try {
    return script.runInContext(context, { timeout: ms }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new Interrupted(`not done within ${ms} ms`, { cause: error });
  } finally {
    context['work'] = undefined;
  }
}
