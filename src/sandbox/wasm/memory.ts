import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex, Readable, Writable } from 'node:stream';
import { treeMemory } from '../linux/tree-memory.ts';
import type { RunEnd } from '../supervise.ts';
import type { Enforcement } from '../types.ts';
import { type Child, childOf } from './child.ts';
import { nodeFlags } from './flags.ts';
import { places } from './protocol.ts';
import type { Setup } from './sandboxed.ts';

export const memoryEnforcement: readonly Enforcement[] = [
  { what: 'files', by: 'WASI, folders in memory only' },
  { what: 'network', by: 'WASI, which has none' },
  { what: 'processes', by: 'WASI, which cannot start any' },
  { what: 'memory', by: 'V8, linear memory' },
  { what: 'cpu', by: 'timer, SIGKILL of the process' },
  { what: 'time', by: 'timer, SIGKILL of the process' },
  { what: 'output', by: 'bytes counted, SIGKILL of the process' },
  { what: 'scratch', by: 'bytes counted, in memory' },
];

/**
 * Starts our program as a plain process. Nothing but the engine keeps a guest in: the program must therefore offer it
 * no call that reaches the machine.
 */
export function startPlain(setup: Setup): Child {
  const child = spawn(process.execPath, [...nodeFlags(setup.limits, setup.megabytes), setup.program], {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe', 'ignore', 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  const at = (place: number) => (child.stdio as readonly unknown[])[place];
  // It is not asked whether it is there: what it is told waits for it.
  (at(places.ready) as Readable).resume();
  (at(places.told) as Writable).end(`${JSON.stringify(setup.plan)}\n`);
  return childOf({
    stdin: child.stdin,
    stdout: child.stdout as Readable,
    stderr: child.stderr as Readable,
    channel: at(places.channel) as Duplex,
    kill: () => void child.kill('SIGKILL'),
    ended: endOf(child),
    memoryBytes: () => treeMemory(child.pid),
    enforcement: memoryEnforcement,
    keepAlive: (whether) => {
      const call = whether === 'yes' ? 'ref' : 'unref';
      child[call]();
      for (const stream of child.stdio) (stream as Partial<Record<typeof call, () => void>> | null)?.[call]?.();
    },
  });
}

function endOf(child: ChildProcess): Promise<RunEnd> {
  return new Promise((settle) => {
    const end = { setUp: true, launcherError: '', memoryExceeded: false };
    child.once('error', ({ message }) => {
      settle({ ...end, exitCode: null, signal: null, setUp: false, launcherError: message });
    });
    child.once('exit', (code, signal) => settle({ ...end, exitCode: code ?? crashCode(signal), signal }));
  });
}

/** An engine that gives up does so by a signal; one that we killed is known by that already. */
function crashCode(signal: string | null): number | null {
  return signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL' || signal === 'SIGSEGV' ? 134 : null;
}
