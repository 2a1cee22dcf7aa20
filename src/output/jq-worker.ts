import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { loadJq } from 'jq-wasm';
import type { JqAnswer, JqCall, JqLimits } from './jq.ts';

const { memory, output } = workerData as JqLimits;
const pageSize = 65_536;

// The limits of a thread do not count the memory of WebAssembly, and jq itself knows none.
const { prototype } = WebAssembly.Memory;
const { grow } = prototype;
prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * pageSize > memory) throw new RangeError('out of memory');
  return grow.call(this, pages);
};

const jq = await loadJq({ wasmBinary: readFileSync(new URL('jq.wasm', import.meta.url)) });
parentPort?.on('message', (call: JqCall) => parentPort?.postMessage(answerTo(call)));
parentPort?.postMessage('ready');

function answerTo({ filter, input }: JqCall): JqAnswer {
  // After -- a filter such as -1 is a filter.
  const answer = jq.raw(input, filter, ['--compact-output', '--']);
  if (answer.stdout.length <= output + input.length) return answer;
  return { stdout: '', stderr: 'jq: error (at output): the results are too long', exitCode: 5 };
}
