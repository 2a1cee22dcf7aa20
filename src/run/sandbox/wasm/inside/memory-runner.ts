import { randomFillSync } from 'node:crypto';
import { readSync } from 'node:fs';
import { Fd, WASI, wasi } from '@bjorn3/browser_wasi_shim';
import type { SurvivedLimit } from '../../ending.ts';
import { type MemoryOrder, type MemoryPlan, places } from '../protocol.ts';
import { closeRealm, compile, conclude, instantiate, lineAndBytes, report, wordsOf, writeAll } from './inside.ts';
import { fixedPreopen, scratchFolder, scratchPreopen, unpackFolder } from './memory-scratch.ts';

// Runs one module where there is no sandbox around this process. The guest gets no call that reaches the machine: its
// folders are in memory, and its only descriptors are the three streams. This process reads no file but this one:
// everything it needs is sent to it.
const refused = new Set<SurvivedLimit>();

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

type Calls = Readonly<Record<string, (...values: number[]) => number>>;

const success = 0;
const notSupported = 58;

/**
 * Replaces calls that the library gets wrong or does badly: it counts characters where arguments are bytes, waits by
 * spinning at full speed, and looks for random bytes in the realm, which is closed.
 */
function properCalls(args: readonly string[], memory: () => ArrayBuffer): Calls {
  const encoded = args.map((arg) => Buffer.from(`${arg}\0`, 'utf8'));
  return {
    args_sizes_get(count = 0, size = 0) {
      const view = new DataView(memory());
      view.setUint32(count, encoded.length, true);
      const total = encoded.reduce((sum, { length }) => sum + length, 0);
      view.setUint32(size, total, true);
      return success;
    },

    args_get(pointers = 0, start = 0) {
      const view = new DataView(memory());
      let at = start;
      for (const [index, bytes] of encoded.entries()) {
        view.setUint32(pointers + index * 4, at, true);
        new Uint8Array(memory()).set(bytes, at);
        at += bytes.length;
      }
      return success;
    },

    poll_oneoff(subscription = 0, event = 0, count = 0, written = 0) {
      const view = new DataView(memory());
      const isClock = view.getUint8(subscription + 8) === 0;
      if (count !== 1 || !isClock) return notSupported;
      const isAbsolute = (view.getUint16(subscription + 40, true) & 1) === 1;
      const nanoseconds = Number(view.getBigUint64(subscription + 24, true));
      const isMonotonic = view.getUint32(subscription + 16, true) === 1;
      const now = isMonotonic ? performance.now() : Date.now();
      const wait = nanoseconds / 1e6 - (isAbsolute ? now : 0);
      if (wait > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait);
      view.setBigUint64(event, view.getBigUint64(subscription, true), true);
      view.setUint32(event + 8, 0, true); // no error; a clock
      view.setUint32(written, 1, true);
      return success;
    },

    random_get(start = 0, length = 0) {
      randomFillSync(new Uint8Array(memory(), start >>> 0, length >>> 0));
      return success;
    },
  };
}

/** Standard input of this process, as the guest's. */
class Input extends Fd {
  override fd_read(size: number): { ret: number; data: Uint8Array } {
    const data = Buffer.allocUnsafe(Math.min(size, 65_536));
    return { ret: wasi.ERRNO_SUCCESS, data: data.subarray(0, readSync(0, data)) };
  }

  override fd_fdstat_get(): { ret: number; fdstat: wasi.Fdstat } {
    return { ret: wasi.ERRNO_SUCCESS, fdstat: statOf(wasi.RIGHTS_FD_READ) };
  }
}

/** Standard output or standard error. */
class Output extends Fd {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    super();
    this.#descriptor = descriptor;
  }

  override fd_write(data: Uint8Array): { ret: number; nwritten: number } {
    writeAll(this.#descriptor, data);
    return { ret: wasi.ERRNO_SUCCESS, nwritten: data.length };
  }

  override fd_fdstat_get(): { ret: number; fdstat: wasi.Fdstat } {
    return { ret: wasi.ERRNO_SUCCESS, fdstat: statOf(wasi.RIGHTS_FD_WRITE) };
  }
}

function statOf(rights: number): wasi.Fdstat {
  const stat = new wasi.Fdstat(wasi.FILETYPE_CHARACTER_DEVICE, 0);
  stat.fs_rights_base = BigInt(rights);
  return stat;
}

const memorySection = 5;

/**
 * Counts the memories that a module defines, which was compiled, and so is well-formed. The engine limits each of them,
 * and nothing else would limit them all together.
 */
function memoriesIn(bytes: Uint8Array): number {
  let at = 8; // after the mark and the version
  const number = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const section = bytes[at++];
    const size = number();
    if (section === memorySection) return number();
    at += size;
  }
  return 0;
}

const started = lineAndBytes<MemoryPlan>(places.plan, ({ moduleBytes }) => moduleBytes);
const module = started === null ? null : compile(() => started.bytes, started.said.digest);
const order =
  module === null
    ? null
    : lineAndBytes<MemoryOrder>(places.channel, ({ files }) =>
        files.reduce((sum, { length }) => sum + (length ?? 0), 0),
      );
if (started !== null && module !== null && order !== null) {
  closeRealm();
  if (memoriesIn(started.bytes) <= 1) run(module, started.said, order);
  else
    report({ kind: 'unfit', message: 'it has more than one memory, and in memory mode only one is held to the limit' });
}
