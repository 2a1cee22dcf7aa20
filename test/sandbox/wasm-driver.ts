import { hostEnvironment } from '../../src/core/environment.ts';
import { createWasmRuntime } from '../../src/run/sandbox/wasm/runtime.ts';
import { obeyOrders } from './orders.ts';

const pool = process.env['WASM_POOL'] === 'warm' ? 'warm' : 'none';
const isolation = process.env['WASM_ISOLATION'] === 'memory' ? 'memory' : 'sandbox';
const runtime = createWasmRuntime(hostEnvironment(), { pool, isolation });
// The next child is started at the end of a run, so that one right after it meets a child that is not ready yet.
const quiet = { onOutput: () => undefined, signal: new AbortController().signal };
obeyOrders(runtime, process.env['WASM_ONCE'] === undefined ? {} : { beforeRun: (spec) => runtime.run(spec, quiet) });
