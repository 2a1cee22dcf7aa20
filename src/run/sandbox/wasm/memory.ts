import { type ChildProcess, spawn } from 'node:child_process';
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import type { Duplex, Readable, Writable } from 'node:stream';
import { entriesOf, linkStatOf, readRegularFile, realPathOrSelf } from '../../../core/disk/files.ts';
import { SkillError } from '../../../core/errors.ts';
import { timeWatch, treeMemory } from '../linux/tree.ts';
import type { RunEnd } from '../supervise.ts';
import type { Enforcement } from '../types.ts';
import { type Child, childOf } from './child.ts';
import { nodeFlags } from './engine-files.ts';
import { type PackedFile, places } from './protocol.ts';
import type { Setup } from './sandboxed.ts';

/** The mechanisms that hold a run in memory mode. There is no sandbox, and each row says what there is instead. */
export function memoryEnforcement(): readonly Enforcement[] {
  return [
    { what: 'files', by: `WASI, folders in memory only${permissionWords('files')}` },
    { what: 'network', by: `WASI, which has none${permissionWords('network')}` },
    { what: 'processes', by: `WASI, which cannot start any${permissionWords('processes')}` },
    { what: 'memory', by: 'V8, linear memory' },
    { what: 'cpu', by: process.platform === 'linux' ? 'watched, SIGKILL of the process' : 'the time limit alone' },
    { what: 'time', by: 'timer, SIGKILL of the process' },
    { what: 'output', by: 'bytes counted, SIGKILL of the process' },
    { what: 'scratch', by: 'bytes counted, in memory' },
    { what: 'user', by: 'your user, no sandbox around the engine (memory mode)' },
  ];
}

/**
 * Starts our program as a plain process. Nothing but the engine confines a guest, so the program must offer it no call
 * that reaches the machine, and has no access to files, processes and threads itself.
 */
export function startPlain(setup: Setup): Child {
  const flags = [...nodeFlags(setup.limits, setup.megabytes), ...permissionFlags(setup.program)];
  const child = spawn(process.execPath, [...flags, setup.program], {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe', 'ignore', 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  endWithUs(child);
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  const at = (place: number) => (child.stdio as readonly unknown[])[place];
  // The child's ready report is ignored: whatever is sent waits in the pipe.
  (at(places.ready) as Readable).resume();
  const planPipe = at(places.plan) as Writable;
  planPipe.write(`${JSON.stringify(setup.plan)}\n`);
  planPipe.end(setup.attached);
  return childOf({
    stdin: child.stdin,
    stdout: child.stdout as Readable,
    stderr: child.stderr as Readable,
    channel: at(places.channel) as Duplex,
    kill: () => void child.kill('SIGKILL'),
    ended: endOf(child),
    cpuSeconds: timeWatch(child.pid ?? 0),
    memoryBytes: () => treeMemory(child.pid),
    enforcement: memoryEnforcement(),
    keepAlive: (whether) => {
      const call = whether === 'yes' ? 'ref' : 'unref';
      child[call]();
      for (const stream of child.stdio) (stream as Partial<Record<typeof call, () => void>> | null)?.[call]?.();
    },
  });
}

/**
 * Kills a child as soon as we are gone. It cannot detect that itself: a guest may never yield its only thread, and a
 * second thread would have none of the restrictions of the first. A shell waits for the end of a pipe that only we hold
 * open. On Windows, children that were not detached end with their parent.
 */
function endWithUs(child: ChildProcess): void {
  if (process.platform === 'win32' || child.pid === undefined) return;
  const script = 'trap "" INT TERM HUP; read -r _; kill -9 "$1"';
  const watcher = spawn('/bin/sh', ['-c', script, 'watch', String(child.pid)], {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', () => child.kill('SIGKILL'));
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  (watcher.stdin as Writable & { unref(): void }).unref();
  child.once('exit', () => watcher.kill('SIGKILL'));
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

/** The exit code of an engine that gave up, which it does by a signal; null for others, such as our own kill. */
function crashCode(signal: string | null): number | null {
  return signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL' || signal === 'SIGSEGV' ? 134 : null;
}

/** Bytes and entries of a skill that are held in memory, at most. */
const mostBytes = 64 * 1024 * 1024;
const mostEntries = 10_000;

/** A folder with everything below it except links: the entries, and the bytes of their files in the same order. */
interface Packed {
  readonly files: readonly PackedFile[];
  readonly bytes: readonly Uint8Array[];
}

/** Reads a folder whole, for a process that may not read anything itself. */
export function packFolder(folder: string): Packed {
  const files: PackedFile[] = [];
  const bytes: Uint8Array[] = [];
  let left = mostBytes;
  // Folders added during the loop are visited as well.
  const folders: (readonly string[])[] = [[]];
  for (const names of folders) {
    for (const entry of entriesIn(folder, names)) {
      const path = [...names, entry.name];
      if (files.length >= mostEntries) throw tooLarge();
      if (entry.isDirectory()) {
        folders.push(path);
        files.push({ path, length: null });
      } else {
        const content = contentOf(folder, path, left);
        left -= content.length;
        bytes.push(content);
        files.push({ path, length: content.length });
      }
    }
  }
  return { files, bytes };
}

function entriesIn(folder: string, names: readonly string[]): readonly Dirent[] {
  const entries = entriesOf(join(folder, ...names));
  if (!entries.ok) throw unreadable(names, entries.reason);
  return entries.value.filter((entry) => entry.isFile() || entry.isDirectory());
}

function contentOf(folder: string, path: readonly string[], most: number): Uint8Array {
  const file = join(folder, ...path);
  const read = readRegularFile(file, most);
  if (read.ok) return read.value.bytes;
  const stats = linkStatOf(file);
  throw stats.ok && stats.value.size > most ? tooLarge() : unreadable(path, read.reason);
}

function tooLarge(): SkillError {
  const most = `${mostEntries} files or ${mostBytes} bytes`;
  return new SkillError('unavailable', `the skill has more than ${most}, too much to hold in memory`);
}

function unreadable(path: readonly string[], reason: string): SkillError {
  return new SkillError('unreadable', `${join('.', ...path)} of the skill cannot be read (${reason})`);
}

const has = (flag: string): boolean => process.allowedNodeEnvironmentFlags.has(flag);

/** The switch of Node's permission model, which had another name before Node 22.13 and 23.5; null if there is none. */
const flag = ['--permission', '--experimental-permission'].find(has) ?? null;

/**
 * The flags that make Node deny a process of ours files, other processes, threads, native code, the inspector and, from
 * Node 25 on, the network. The only file that it may read is the program itself.
 */
function permissionFlags(program: string): readonly string[] {
  return flag === null ? [] : [flag, `--allow-fs-read=${realPathOrSelf(program)}`];
}

/** Words added to the enforcement of a guest if the permission model backs it. */
function permissionWords(what: 'files' | 'processes' | 'network'): string {
  const isHeld = flag !== null && (what !== 'network' || has('--allow-net'));
  return isHeld ? '; Node permission model' : '';
}
