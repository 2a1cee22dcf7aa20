import { createInterface } from 'node:readline';
import { hostEnvironment } from '../../src/kernel/environment.ts';
import type { RunSpec, Stream } from '../../src/sandbox/types.ts';
import { createWasmRuntime } from '../../src/sandbox/wasm/runtime.ts';

/** A process of its own that runs the modules it is told to, so that it can be another user's, and be killed. */
interface Order {
  readonly order: 'run' | 'abort' | 'readiness' | 'sweep';
  readonly number: number;
  readonly spec?: Omit<RunSpec, 'stdin'> & { readonly stdin: string | null };
}

const pool = process.env['WASM_POOL'] === 'warm' ? 'warm' : 'none';
const isolation = process.env['WASM_ISOLATION'] === 'memory' ? 'memory' : 'auto';
const runtime = createWasmRuntime(hostEnvironment(), { pool, isolation });
const aborts = new Map<number, AbortController>();

function say(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

async function obey({ order, number, spec }: Order): Promise<void> {
  if (order === 'abort') aborts.get(number)?.abort();
  else if (order === 'sweep') say({ number, result: (await runtime.sweep()) ?? null });
  else if (order === 'readiness') say({ number, result: await runtime.readiness() });
  else if (spec !== undefined) {
    const controller = new AbortController();
    aborts.set(number, controller);
    // So that the run meets a child that is not ready yet.
    if (process.env['WASM_ONCE'] !== undefined) runtime.warm?.({ ...spec, stdin: null });
    const stdin = spec.stdin === null ? null : Buffer.from(spec.stdin, 'base64');
    const onOutput = (stream: Stream, bytes: Uint8Array) =>
      say({ number, stream, bytes: Buffer.from(bytes).toString('base64') });
    say({ number, result: await runtime.run({ ...spec, stdin }, { onOutput, signal: controller.signal }) });
  }
}

createInterface({ input: process.stdin }).on('line', (line) => void obey(JSON.parse(line) as Order));
