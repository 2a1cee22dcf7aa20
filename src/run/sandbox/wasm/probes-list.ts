import { cutAtLimit, endedBy, type Probe, refused, type Surroundings } from '../probe.ts';
import { probe } from './probe.ts';

/** Attacks on the sandbox of WebAssembly, each by a guest that takes them as its arguments. */
export const wasmProbes: readonly Probe[] = [
  {
    id: 'wasm-imports',
    name: 'functions of the engine',
    expectation: 'a module that imports anything but WASI is not started',
    what: 'processes',
    module: () => importing('constructor', 'defineProperty'),
    command: () => [],
    judge: ({ outcome, stderr }) => {
      const said = outcome.message ?? stderr;
      return { held: outcome.exitCode !== 0 && said.includes('constructor'), detail: said };
    },
  },
  {
    id: 'wasm-files',
    name: 'files of this machine',
    expectation: 'neither a file outside, nor the password file, nor the engine is opened, by paths or by links',
    what: 'files',
    module,
    command: (around) => ['link', '.', 'q', ...targets(around).flatMap(waysTo)],
    judge: refused,
  },
  {
    id: 'wasm-environment',
    name: 'the environment of this process',
    expectation: 'the run sees no environment but its own',
    what: 'files',
    module,
    command: () => ['env'],
    // Only names are shown, as in every other probe.
    judge: (run) => refused({ ...run, stdout: run.stdout.replace(/^PATH=.*\n/m, '').replace(/=.*$/gm, '') }),
  },
  {
    id: 'wasm-memory',
    name: '200 MB of memory where 64 MB are allowed',
    expectation: 'it gets no more',
    what: 'memory',
    module,
    command: () => ['grow'],
    judge: refused,
  },
  {
    id: 'wasm-output',
    name: 'output without end',
    expectation: 'it is cut at the limit, to the byte',
    what: 'output',
    module,
    command: () => ['write'],
    judge: cutAtLimit,
  },
  {
    id: 'wasm-deadline',
    name: 'a loop without end',
    expectation: 'it is killed at its deadline',
    what: 'time',
    limits: { timeoutMs: 700 },
    module,
    command: () => ['spin'],
    judge: endedBy('timeout'),
  },
];

function module(): Uint8Array {
  return Buffer.from(probe, 'base64');
}

/** Files to attack. The engine itself must be out of reach, and has the first name where there is a sandbox. */
function targets({ file, node }: Surroundings): readonly string[] {
  return [file, '/etc/passwd', '/proc/self/environ', '/engine/node', node];
}

/**
 * Arguments that try a path directly, from above, and through links that lead further up than an interface would count:
 * `q` is the folder itself.
 */
function waysTo(path: string, index: number): readonly string[] {
  const climb = `q/../q/../q/../q/..${path}`;
  return ['open', path, 'open', `../../../..${path}`, 'link', climb, `e${index}`, 'open', `e${index}`];
}

/** A module that does nothing, and imports one function. */
function importing(from: string, name: string): Uint8Array {
  const text = (value: string) => [value.length, ...Buffer.from(value)];
  const section = (id: number, bytes: readonly number[]) => [id, bytes.length, ...bytes];
  const functionType = [0x60, 0, 0];
  const body = [2, 0, 0x0b];
  return Uint8Array.from([
    ...Buffer.from('\0asm\x01\0\0\0', 'latin1'),
    ...section(1, [1, ...functionType]),
    ...section(2, [1, ...text(from), ...text(name), 0, 0]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text('_start'), 0, 1]),
    ...section(10, [1, ...body]),
  ]);
}
