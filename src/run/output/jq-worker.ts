import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { loadJq } from 'jq-wasm';
import { answerCalls, threadData } from '../../core/thread-pool.ts';
import { createJq, filterError, type Jq, narrower, type RawJq } from './jq.ts';
import { type ShapeCall, shapeText } from './shape-text.ts';
import type { ThreadLimits } from './threads.ts';

const { memory, output } = threadData<ThreadLimits>();
const pageSize = 65_536;
/** Most bytes that jq may ever have had on a thread that is kept: what jq takes it never gives back. */
const mostKept = memory / 4;

/** The most that jq has ever had of one kind of memory, in bytes. */
let taken = 0;
/** The most that it may print now, in bytes, and whether it has printed more. */
let mostPrinted = 0;
let hasPrintedMore = false;

function isTaken(bytes: number, most: number): boolean {
  if (bytes > most) return false;
  taken = Math.max(taken, bytes);
  return true;
}

/**
 * Limits the memory of jq: the limits of a thread count neither the memory of WebAssembly nor arrays of bytes, and jq
 * itself knows none.
 */
function limitMemory(): void {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function (pages) {
    if (isTaken(this.buffer.byteLength + pages * pageSize, memory)) return grow.call(this, pages);
    throw new RangeError('out of memory');
  };
  // Printed output goes into an array that is replaced by one of twice the length when it is full.
  const Bytes = Uint8Array;
  globalThis.Uint8Array = new Proxy(Bytes, {
    construct(_, values: readonly unknown[]) {
      const [length] = values;
      if (typeof length !== 'number' || isTaken(length, 2 * mostPrinted)) return Reflect.construct(Bytes, values);
      hasPrintedMore = true;
      throw new RangeError('too long'); // reported to jq as a failure to write, which it may not mind
    },
  });
}

async function load(): Promise<Jq> {
  const program = await loadJq({ wasmBinary: readFileSync(new URL('jq.wasm', import.meta.url)) });
  limitMemory();
  const raw: RawJq = (input, filter) => {
    const most = output + input.length;
    mostPrinted = 4 * most; // as many bytes as that many characters can have
    hasPrintedMore = false;
    // After `--`, a filter such as -1 is a filter.
    const answer = program.raw(input, filter, ['--compact-output', '--']);
    if (!hasPrintedMore && answer.stdout.length <= most) return answer;
    throw filterError('failed: the results are too long', narrower);
  };
  return createJq(raw);
}

/** Runs work with no limit here: the caller ends the thread when it takes too long. */
function bounded<T>(work: () => T): T {
  return work();
}

const means = { jq: await load(), bounded };

answerCalls(
  (call: ShapeCall) => shapeText(call, means),
  () => taken > mostKept,
);
parentPort?.postMessage('ready');
