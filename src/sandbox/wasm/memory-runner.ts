import { type Fd, WASI } from '@bjorn3/browser_wasi_shim';
import type { SurvivedLimit } from '../ending.ts';
import { compile, conclude, instantiate, planOf, report, takeOrder, wordsOf } from './inside.ts';
import { properCalls } from './memory-calls.ts';
import { scratchFolder, scratchPreopen } from './memory-scratch.ts';
import { fixedPreopen, loadFolder } from './memory-skill.ts';
import { Input, Output } from './memory-streams.ts';
import { endWithParent } from './memory-watch.ts';
import type { MemoryPlan, Order } from './protocol.ts';

// One run of one module where there is no sandbox around this process. The guest gets no call that reaches the machine:
// its folders are in memory, and of descriptors it has the three streams.
const plan = planOf<MemoryPlan>();
const refused = new Set<SurvivedLimit>();
const module = compile(plan.module, plan.digest);
const order = module === null ? null : takeOrder<Order>();
if (module !== null && order !== null) {
  endWithParent();
  run(module, order);
}

function run(compiled: WebAssembly.Module, { args, env }: Order): void {
  const fds: Fd[] = [new Input(), new Output(1), new Output(2)];
  try {
    fds.push(...folders(fds));
  } catch (error) {
    report({ kind: 'unfit', message: wordsOf(error) });
    return;
  }
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const shim = new WASI([...args], variables, fds, { debug: false });
  const calls = { ...shim.wasiImport, ...properCalls(args, () => shim.inst.exports.memory.buffer) };
  const instance = instantiate(compiled, calls);
  if (instance === null) return;
  if (typeof instance.exports['_start'] !== 'function') {
    report({ kind: 'unfit', message: 'it has no _start function: it is a library, not a program' });
    return;
  }
  conclude(instance, () => shim.start(instance as unknown as Parameters<typeof shim.start>[0]), refused);
}

/** Each folder of the machine is read whole; the one that is none is for scratch. */
function folders(fds: readonly Fd[]): Fd[] {
  const { scratchBytes: totalBytes, fileBytes } = plan;
  const scratch = scratchFolder({ totalBytes, fileBytes, open: () => fds, refused });
  const loaded = new Map<string, ReturnType<typeof loadFolder>>();
  return Object.entries(plan.preopens).map(([name, source]) => {
    if (source === '') return scratchPreopen(name, scratch);
    const folder = loaded.get(source) ?? loadFolder(source);
    loaded.set(source, folder);
    return fixedPreopen(name, folder);
  });
}
