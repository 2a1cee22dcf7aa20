import { sizeInWords } from '../../kernel/quantities.ts';
import type { Limits } from '../../policy/types.ts';
import { type Ending, endedAlone, survived } from '../ending.ts';
import type { Talk } from './channel.ts';
import { trapCode } from './protocol.ts';

/** What the reason begins with where something cannot be run at all. */
export const unfitWords = 'it cannot be run: ';

/** A guest that breaks off with so much of its memory in use has most likely asked for more and not got it. */
const nearlyAll = 3 / 4;

/** How a run ended, by how its child ended and what it had said. */
export function verdictOf(ending: Ending, last: ReturnType<Talk['last']>, limits: Limits): Ending {
  if (!endedAlone(ending)) return ending;
  if (ending.reason !== 'exited') return last?.kind === 'exited' ? { ...ending, exitCode: last.code } : ending;
  switch (last?.kind) {
    case 'exited':
      return survived({ ...ending, exitCode: last.code, signal: null }, last.reached ?? [], limits);
    case 'unfit':
      return failed(ending, 'engine_error', `${unfitWords}${last.message}`);
    case 'too-large':
      return outOfMemory(ending, `it needs more memory than the limit of ${sizeInWords(limits.memoryBytes)}`);
    case 'trap': {
      const isFull = last.memoryBytes >= limits.memoryBytes * nearlyAll;
      if (!isFull) return { ...ending, exitCode: trapCode, signal: null };
      const message = `it failed (${last.message}) with ${sizeInWords(last.memoryBytes)} of its ${sizeInWords(limits.memoryBytes)} of memory in use`;
      return outOfMemory(ending, message);
    }
    case undefined:
      return silent(ending, limits);
  }
}

/** The engine ended without a word: by itself it does so only for want of memory. */
function silent(ending: Ending, limits: Limits): Ending {
  const isCrash = (ending.exitCode ?? 0) >= 128;
  if (!isCrash) return failed(ending, 'engine_error', 'the engine that runs it ended unexpectedly');
  return outOfMemory(ending, `the engine ran out of memory; the limit is ${sizeInWords(limits.memoryBytes)}`);
}

function failed(ending: Ending, reason: Ending['reason'], message: string): Ending {
  return { ...ending, reason, exitCode: null, signal: null, message };
}

function outOfMemory(ending: Ending, message: string): Ending {
  return { ...failed(ending, 'memory', message), limit: 'memoryBytes' };
}
