import { createHash } from 'node:crypto';
import { readFileSync, readSync, writeSync } from 'node:fs';
import type { SurvivedLimit } from '../../ending.ts';
import type { Report } from '../child.ts';
import { places, readyWord } from '../protocol.ts';

// Functions shared by the programs that run inside a child. They wait without an event loop, which would only cost
// time.

/** Reports ready, and waits for the plan; never returns if nobody is left to send it. */
export function planOf<T>(): T {
  writeSync(places.ready, readyWord);
  return JSON.parse(lineFrom(places.plan) ?? '{}') as T;
}

export function report(said: Report): void {
  writeSync(places.channel, `${JSON.stringify(said)}\n`);
}

/** Waits for the order; null if nobody is left to give one. */
export function takeOrder<T>(): T | null {
  const line = lineFrom(places.channel);
  return line === null ? null : (JSON.parse(line) as T);
}

/** Reads a line and the bytes that follow it: as many as it says. */
export function lineAndBytes<T>(descriptor: number, lengthOf: (said: T) => number): { said: T; bytes: Buffer } | null {
  const pieces: Buffer[] = [];
  const more = (): boolean => {
    const piece = Buffer.allocUnsafe(1_048_576);
    const got = readSync(descriptor, piece);
    if (got > 0) pieces.push(piece.subarray(0, got));
    return got > 0;
  };
  do if (!more()) return null;
  while (!pieces.at(-1)?.includes(10));
  const head = Buffer.concat(pieces.splice(0));
  const end = head.indexOf(10);
  const said = JSON.parse(head.toString('utf8', 0, end)) as T;
  pieces.push(head.subarray(end + 1));
  let left = lengthOf(said) - (head.length - end - 1);
  while (left > 0 && more()) left -= pieces.at(-1)?.length ?? 0;
  return left > 0 ? null : { said, bytes: Buffer.concat(pieces) };
}

/** Reads a line that nothing follows. */
function lineFrom(descriptor: number): string | null {
  const pieces: Buffer[] = [];
  for (;;) {
    const piece = Buffer.allocUnsafe(65_536);
    const got = readSync(descriptor, piece);
    if (got === 0) return null;
    pieces.push(piece.subarray(0, got));
    if (piece[got - 1] === 10) return Buffer.concat(pieces).toString('utf8');
  }
}

/** Reads a file and verifies that its bytes have the expected digest. */
export function readExactly(file: string, digest: string): Buffer {
  return exactly(readFileSync(file), digest);
}

function exactly(bytes: Buffer, digest: string): Buffer {
  if (createHash('sha256').update(bytes).digest('hex') !== digest) throw new Error('its file has changed');
  return bytes;
}

/** Compiles a module and reports ready; or reports why it cannot be compiled, and returns null. */
export function compile(read: () => Buffer, digest: string): WebAssembly.Module | null {
  try {
    const module = new WebAssembly.Module(exactly(read(), digest));
    report({ kind: 'ready' });
    return module;
  } catch (error) {
    report({ kind: 'unfit', message: wordsOf(error) });
    return null;
  }
}

/** Functions of WASI by name. */
export type Calls = Readonly<Record<string, (...values: never[]) => unknown>>;

const wasi = 'wasi_snapshot_preview1';

/** Creates an instance of the module; or reports why there can be none, and returns null. */
export function instantiate(module: WebAssembly.Module, calls: Calls): WebAssembly.Instance | null {
  try {
    return new WebAssembly.Instance(module, importsOf(module, calls));
  } catch (error) {
    // A range error means that the module's initial memory exceeds its limit; nothing else here throws one.
    report({ kind: error instanceof RangeError ? 'too-large' : 'unfit', message: wordsOf(error) });
    return null;
  }
}

/**
 * The imports of a module: the WASI functions that it declares, and nothing else. An import is looked up like a
 * property, so `constructor` or `__proto__` would find the engine's own objects, and through them everything that this
 * process can do.
 */
function importsOf(module: WebAssembly.Module, calls: Calls): WebAssembly.Imports {
  const functions = Object.create(null) as Record<string, unknown>;
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    const call = from === wasi && kind === 'function' && Object.hasOwn(calls, name) ? calls[name] : undefined;
    if (call === undefined)
      throw new Error(`it imports ${JSON.stringify(`${from}.${name}`)}, which is not a function of WASI`);
    functions[name] = onlyNumbers(call);
  }
  return Object.assign(Object.create(null) as WebAssembly.Imports, { [wasi]: functions });
}

/**
 * Wraps a function so that it passes numbers only. A module chooses the types it calls a function with, and references
 * to objects must not pass in either direction.
 */
function onlyNumbers(call: Calls[string]): (...values: never[]) => unknown {
  return (...values) => {
    for (const value of values) checkNumber(value);
    const result = call(...values);
    if (result !== undefined) checkNumber(result);
    return result;
  };
}

function checkNumber(value: unknown): void {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw new Error('WASI takes and returns numbers only');
}

/** Runs a module to its end; reports how it ended, and the limits at which it was refused something. */
export function conclude(instance: WebAssembly.Instance, run: () => number, refused?: Iterable<SurvivedLimit>): void {
  try {
    const code = run();
    report({ kind: 'exited', code, ...(refused && { reached: [...refused] }) });
  } catch (error) {
    const memory = instance.exports['memory'];
    breakOff(error, memory instanceof WebAssembly.Memory ? memory.buffer.byteLength : 0);
  }
}

export function breakOff(error: unknown, memoryBytes: number): void {
  const message = wordsOf(error);
  report({ kind: 'trap', message, memoryBytes });
  writeAll(2, Buffer.from(`trap: ${message}\n`, 'utf8'));
}

/** Writes all bytes, however slowly they are read: a library may have made the pipe non-blocking. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(descriptor, bytes, from);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

/** The first line of an error's message, without the name of the function that threw it. */
export function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] ?? '').replace(/^WebAssembly\.\w+\(\):? ?/, '').slice(0, 500);
}

/** Globals that our programs, and the interface that they offer, use of the language and of Node. */
const kept = new Set(
  [
    'Object Array String Number Boolean Symbol BigInt Math JSON Date Map Set Error RangeError TypeError Infinity NaN undefined',
    'ArrayBuffer SharedArrayBuffer DataView Uint8Array Int32Array Uint32Array Atomics WebAssembly',
    'Buffer TextEncoder TextDecoder performance',
  ].flatMap((names) => names.split(' ')),
);

/**
 * Deletes all other globals before a guest begins: `process`, `Function`, `fetch` and everything else that acts on the
 * machine. A guest gets no object to begin with; should it ever get one, nothing reachable from it is of use.
 */
export function closeRealm(): void {
  // Local names are needed because these globals are deleted, too.
  const [realm, { ownKeys, deleteProperty }] = [globalThis, Reflect];
  for (const key of ownKeys(realm)) {
    if (typeof key === 'symbol' || !kept.has(key)) deleteProperty(realm, key);
  }
  Error.stackTraceLimit = 0;
}

/** Two functions that some components request: their settings come from the environment of the run. */
export function settingsFrom(env: Readonly<Record<string, string>>): Readonly<Record<string, object>> {
  return {
    'get-config': { default: (name: string) => env[name] },
    'get-all-config': { default: () => JSON.stringify(env) },
  };
}
