import { type Fd, WASI } from '@bjorn3/browser_wasi_shim';
import type { SurvivedLimit } from '../ending.ts';
import { compile, conclude, instantiate, lineAndBytes, report, wordsOf } from './inside.ts';
import { properCalls } from './memory-calls.ts';
import { scratchFolder, scratchPreopen } from './memory-scratch.ts';
import { fixedPreopen, unpackFolder } from './memory-skill.ts';
import { Input, Output } from './memory-streams.ts';
import { type MemoryOrder, type MemoryPlan, places } from './protocol.ts';
import { closeRealm } from './realm.ts';

// One run of one module where there is no sandbox around this process. The guest gets no call that reaches the machine:
// its folders are in memory, and of descriptors it has the three streams. This process reads no file but this one: all
// it needs is sent to it.
const refused = new Set<SurvivedLimit>();
const started = lineAndBytes<MemoryPlan>(places.told, ({ moduleBytes }) => moduleBytes);
const module = started === null ? null : compile(() => started.bytes, started.said.digest);
const order =
  module === null
    ? null
    : lineAndBytes<MemoryOrder>(places.channel, ({ files }) =>
        files.reduce((sum, { length }) => sum + (length ?? 0), 0),
      );
if (started !== null && module !== null && order !== null) {
  closeRealm();
  run(module, started.said, order);
}

function run(
  compiled: WebAssembly.Module,
  plan: MemoryPlan,
  { said: { args, env, files }, bytes }: { said: MemoryOrder; bytes: Uint8Array },
): void {
  const fds: Fd[] = [new Input(), new Output(1), new Output(2)];
  try {
    fds.push(...folders(plan, unpackFolder(files, bytes), fds));
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

function folders(plan: MemoryPlan, skill: ReturnType<typeof unpackFolder>, fds: readonly Fd[]): Fd[] {
  const { scratchBytes: totalBytes, fileBytes } = plan;
  const scratch = scratchFolder({ totalBytes, fileBytes, open: () => fds, refused });
  return Object.entries(plan.preopens).map(([name, which]) =>
    which === 'scratch' ? scratchPreopen(name, scratch) : fixedPreopen(name, skill),
  );
}
