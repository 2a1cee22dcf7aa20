import { chmodSync, readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';
import type { Order, Plan } from '../protocol.ts';
import {
  type Calls,
  closeRealm,
  compile,
  conclude,
  instantiate,
  planOf,
  report,
  takeOrder,
  wordsOf,
} from './inside.ts';

// Runs one module. This process is inside the sandbox already: a guest is kept from other files because there are none,
// and not by this interface, out of which a guest can climb with two links.
const plan = planOf<Plan>();
const module = compile(() => readFileSync(plan.module), plan.digest);
const order = module === null ? null : takeOrder<Order>();
if (module !== null && order !== null) {
  // The engine has loaded everything that it needs. A guest has no call to undo this, and the folder's owner is bound
  // by it.
  for (const folder of plan.closes) chmodSync(folder, 0);
  closeRealm();
  run(module, order);
}

function run(compiled: WebAssembly.Module, { args, env }: Order): void {
  const wasi = interfaceFor(args, env);
  const instance = wasi === null ? null : instantiate(compiled, wasi.wasiImport as Calls);
  if (wasi === null || instance === null) return;
  if (typeof instance.exports['_start'] !== 'function') {
    report({ kind: 'unfit', message: 'it has no _start function: it is a library, not a program' });
    return;
  }
  conclude(instance, () => wasi.start(instance));
}

function interfaceFor(args: readonly string[], env: Readonly<Record<string, string>>): WASI | null {
  try {
    return new WASI({
      version: 'preview1',
      args: [...args],
      env: { ...env },
      preopens: { ...plan.preopens },
      returnOnExit: true,
    });
  } catch (error) {
    report({ kind: 'unfit', message: `its folders cannot be opened: ${wordsOf(error)}` });
    return null;
  }
}
