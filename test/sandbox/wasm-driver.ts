import { hostEnvironment } from '../../src/kernel/environment.ts';
import { createWasmRuntime } from '../../src/sandbox/wasm/runtime.ts';
import { obeyOrders } from './orders.ts';

const pool = process.env['WASM_POOL'] === 'warm' ? 'warm' : 'none';
const isolation = process.env['WASM_ISOLATION'] === 'memory' ? 'memory' : 'sandbox';
const runtime = createWasmRuntime(hostEnvironment(), { pool, isolation });
// Warmed at the last moment, so that the run meets a child that is not ready yet.
obeyOrders(runtime, process.env['WASM_ONCE'] === undefined ? {} : { beforeRun: (spec) => runtime.warm?.(spec) });
