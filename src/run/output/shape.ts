import { packageFile } from '../../core/disk/package-file.ts';
import { Interrupted, interruptible } from '../../core/interruptible.ts';
import { absentJq } from './jq.ts';
import { prepareLines } from './lines.ts';
import { type Means, type ShapeCall, type ShapedText, shapeText } from './shape-text.ts';
import { onThread, tooLate } from './threads.ts';
import type { Shaped, Shaping } from './types.ts';

/** Cuts output down to what was asked for, and notes what was left out. */
export async function shape(output: string, shaping: Shaping, form: ShapeCall['form'] = 'text'): Promise<Shaped> {
  const call = { output, shaping, form };
  const program = isLight(call) ? undefined : packageFile('dist/cli/jq.mjs');
  return shapedAs(program === undefined ? shapeText(call, here) : await onThread(program, call));
}

/** Cuts output to the length asked for, and does no more: this takes no time, and always succeeds. */
export function shorten(output: string, { maxOutput, truncate }: Shaping): Shaped {
  const shaping = { ...(maxOutput !== undefined && { maxOutput }), ...(truncate !== undefined && { truncate }) };
  return shapedAs(shapeText({ output, shaping, form: 'text' }, here));
}

/** Refuses what cannot be done. Called before a tool runs, for afterwards its work would be in vain. */
export async function checkShaping(shaping: Shaping): Promise<void> {
  prepareLines(shaping);
  if (shaping.jq !== undefined) await shape('', { jq: shaping.jq }); // without input, the filter is only compiled
}

/** The means of this thread, for an installation without threads, and for work that needs none. */
const here: Means = {
  jq: absentJq,
  bounded: (work) => {
    try {
      return interruptible(longestGrepMs, work);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      throw tooLate({ grep: '' }, longestGrepMs);
    }
  },
};

const longestGrepMs = 500;

/**
 * Characters of the longest text shaped on this thread: to examine each character of a longer one would keep everybody
 * else waiting, longer than it takes to start a thread.
 */
const longestHere = 100_000;

/** Whether output is shaped at once. Filters and expressions of third parties never are. */
function isLight({ output, shaping, form }: ShapeCall): boolean {
  const { grep, head, tail, jq, format = 'text' } = shaping;
  if (grep !== undefined || jq !== undefined || format !== 'text') return false;
  return output.length <= longestHere || (head === undefined && tail === undefined && form === 'text');
}

function shapedAs({ text, json, notes }: ShapedText): Shaped {
  return { text, value: json === undefined ? undefined : JSON.parse(json), notes };
}
