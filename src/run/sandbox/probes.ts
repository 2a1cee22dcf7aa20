import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import { realPathOrSelf } from '../../core/disk/files.ts';
import { sha256 } from '../../core/hash.ts';
import type { OnProgress } from '../../core/progress.ts';
import type { Limits } from '../policy/types.ts';
import { runGuarded } from './guards.ts';
import { temporaryFolder } from './kept-folders.ts';
import {
  grantedTarget,
  guardProbes,
  limitProbes,
  type Probe,
  type ProbeRun,
  refused,
  type Surroundings,
  shell,
} from './probe.ts';
import type { Outcome, ProbeResult, SandboxRuntime, Stream, Task } from './types.ts';
import { wasmProbes } from './wasm/probes-list.ts';

const limits: Limits = {
  timeoutMs: 15_000,
  memoryBytes: 64 * 1_048_576,
  processes: 24,
  outputBytes: 65_536,
  scratchBytes: 1_048_576,
  fileBytes: 64 * 1_048_576,
  cpuSeconds: 10,
};

/** Tries the attacks that a hostile tool would try, one after the other. Nothing of this machine is changed by them. */
export async function probeSandbox(runtime: SandboxRuntime, onProgress?: OnProgress): Promise<readonly ProbeResult[]> {
  const folder = realPathOrSelf(temporaryFolder('repertoire-probe-'));
  const mark = `7${process.pid}${Date.now()}`;
  const [tcp, local] = [createServer((socket) => socket.end()), createServer((socket) => socket.end())];
  try {
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'secret'), `planted-${mark}`);
    chmodSync(join(folder, 'secret'), 0o644);
    const port = await listening(tcp, { port: 0, host: '127.0.0.1' });
    const abstract = `repertoire-probe-${mark}`;
    if (process.platform === 'linux') await listening(local, { path: `\0${abstract}` });
    const granted = grantedFolder(folder);
    const around: Surroundings = {
      file: join(folder, 'secret'),
      port,
      abstract,
      mark,
      node: process.execPath,
      granted,
    };
    const results: ProbeResult[] = [];
    const all = runtime.name === 'wasm' ? wasmProbes : probes;
    const possible = all.filter(({ isPossible }) => isPossible?.() ?? true);
    for (const probe of possible) {
      onProgress?.({ what: 'Testing the sandbox', done: results.length, total: possible.length });
      results.push(await tried(runtime, probe, around));
    }
    return results;
  } finally {
    tcp.close();
    local.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates the granted folder. Runs of root are another user, who must be able to write there too. */
function grantedFolder(parent: string): string {
  const granted = join(parent, 'granted');
  for (const folder of [granted, join(granted, '.git'), join(granted, '.git/hooks')]) {
    mkdirSync(folder);
    chmodSync(folder, 0o777);
  }
  return granted;
}

async function tried(runtime: SandboxRuntime, probe: Probe, around: Surroundings): Promise<ProbeResult> {
  // The skill of a probe is an empty folder; the targets of its attacks lie outside.
  const skill = realPathOrSelf(temporaryFolder('repertoire-probe-skill-'));
  chmodSync(skill, 0o755);
  try {
    const run = await runOf(runtime, probe, around, skill);
    const { held, detail } = started(run.outcome, probe)
      ? probe.judge(run, around)
      : { held: false, detail: notStarted(run.outcome) };
    const { name, expectation } = probe;
    const by = run.outcome.enforcement.find(({ what }) => what === probe.what)?.by;
    return { name, expectation, held, detail, mechanism: by ?? 'unknown' };
  } finally {
    rmSync(skill, { recursive: true, force: true });
  }
}

/** The probe that is right not to start; its own judgement checks that. */
const notToStart: Probe['id'] = 'wasm-imports';

/** Tells whether a probe ran. One that never ran proves nothing, and must not look as if it had held. */
function started(outcome: Outcome, { id }: Probe): boolean {
  if (id === notToStart) return true;
  return outcome.reason !== 'engine_error' && outcome.exitCode !== 126 && outcome.exitCode !== 127;
}

function notStarted(outcome: Outcome): string {
  return `it could not be tried: ${outcome.message ?? `the program ended with ${outcome.exitCode}`}`;
}

async function runOf(runtime: SandboxRuntime, probe: Probe, around: Surroundings, skill: string): Promise<ProbeRun> {
  const text: Record<Stream, string> = { stdout: '', stderr: '' };
  let bytes = 0;
  const onOutput = (stream: Stream, piece: Uint8Array) => {
    bytes += piece.length;
    if (text[stream].length < 4096) text[stream] += Buffer.from(piece).toString('utf8');
  };
  const outcome = await runGuarded(
    runtime,
    {
      id: `probe-${probe.id}-${around.mark}`,
      task: taskOf(probe, around, skill),
      env: { PATH: '/usr/bin:/bin' },
      stdin: null,
      skillFolder: skill,
      folder: 'scratch',
      mounts: probe.isGranted ? [{ source: around.granted, target: grantedTarget, access: 'write' }] : [],
      network: [],
      limits: { ...limits, ...probe.limits },
    },
    { onOutput, signal: new AbortController().signal },
  );
  return { outcome, ...text, bytes };
}

function taskOf(probe: Probe, around: Surroundings, skill: string): Task {
  const words = probe.command(around);
  const module = probe.module?.();
  if (module === undefined) {
    const [program = '/bin/sh', ...args] = words;
    return { kind: 'command', program, args };
  }
  const file = join(skill, 'probe.wasm');
  writeFileSync(file, module);
  chmodSync(file, 0o644);
  return { kind: 'module', file, digest: sha256(module), args: words };
}

function listening(server: Server, where: { port: number; host: string } | { path: string }): Promise<number> {
  return new Promise((settle, fail) => {
    server.once('error', fail);
    server.listen(where, () => {
      const address = server.address();
      settle(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

/** A script that opens files and writes nothing. */
const opening = `
  const fs = require('node:fs');
  for (const path of process.argv.slice(1)) {
    try { fs.closeSync(fs.openSync(path, fs.constants.O_WRONLY)); console.log(path); } catch {}
  }
  console.log('ALIVE');`;

const connecting = `
  const net = require('node:net');
  const [port, abstract] = process.argv.slice(1);
  const ways = [{ host: '127.0.0.1', port }, { host: '169.254.169.254', port: 80 }, { path: '\\0' + abstract }];
  Promise.all(ways.map((way) => new Promise((settle) => {
    const socket = net.connect(way, () => { console.log(way.path ? 'abstract socket' : way.host); socket.destroy(); settle(); });
    socket.setTimeout(2000, () => { socket.destroy(); settle(); });
    socket.on('error', settle);
  }))).then(() => console.log('ALIVE'));`;

const probes: readonly Probe[] = [
  {
    id: 'files',
    name: 'files of this machine',
    expectation: 'neither a file outside nor the password file is read',
    what: 'files',
    command: ({ file }) => shell('cat "$1" "/proc/1/root$1" /etc/shadow /root/.ssh/id_* 2>/dev/null; echo ALIVE', file),
    judge: refused,
  },
  {
    id: 'write',
    name: 'writing outside the scratch folder',
    expectation: 'no folder but the scratch folder is written to',
    what: 'files',
    command: () =>
      shell(
        'for d in / /usr /etc /skill /dev /run /home /var; do (: > $d/probe) 2>/dev/null && echo $d; done; echo ALIVE',
      ),
    judge: refused,
  },
  {
    id: 'kernel',
    name: 'kernel settings',
    expectation: 'none is opened for writing',
    what: 'files',
    limits: { memoryBytes: 256 * 1_048_576, processes: 64 },
    command: ({ node }) => {
      const switches = ['/proc/sys/kernel/core_pattern', '/proc/sys/vm/drop_caches', '/proc/sysrq-trigger'];
      return [node, '-e', opening, ...switches];
    },
    judge: refused,
  },
  {
    id: 'environment',
    name: 'the environment of this process',
    expectation: 'the run sees no environment but its own',
    what: 'files',
    // Only names are printed: the values are nobody's business, ours included.
    command: () => shell('cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n" | sed -n "s/=.*//p" | sort -u; echo ALIVE'),
    judge: (run) => {
      const foreign = run.stdout
        .split('\n')
        .filter((name) => !['PATH', 'PWD', 'OLDPWD', 'SHLVL', '_', 'TMPDIR'].includes(name));
      return refused({ ...run, stdout: foreign.join('\n') });
    },
  },
  {
    id: 'network',
    name: 'the network of this machine',
    expectation: 'neither its ports, nor abstract sockets, nor cloud metadata addresses are reached',
    what: 'network',
    limits: { memoryBytes: 256 * 1_048_576, processes: 64 },
    command: ({ node, port, abstract }) => [node, '-e', connecting, String(port), abstract],
    judge: refused,
  },
  ...guardProbes,
  ...limitProbes,
  {
    id: 'leftovers',
    name: 'processes that hide from their parents',
    expectation: 'none is left after the run',
    what: 'processes',
    command: ({ mark }) => shell('(setsid sleep $1 &) ; setsid sh -c "sleep $1 & sleep $1" & echo ALIVE', mark),
    judge: ({ stdout }, { mark }) => {
      const left = processesWith(mark);
      const held = left === 0 && stdout.includes('ALIVE');
      return { held, detail: held ? 'none was left' : `${left} were left` };
    },
  },
  {
    id: 'privileges',
    name: 'mounts, namespaces, devices and other processes',
    expectation: 'none is created, opened or signalled',
    what: 'user',
    command: () =>
      shell(
        `mount -t tmpfs x /tmp 2>/dev/null && echo mount; unshare -U true 2>/dev/null && echo namespace
        mknod /tmp/disk b 8 0 2>/dev/null && echo device; chroot / true 2>/dev/null && echo root
        kill -0 "$1" 2>/dev/null && echo signal; echo ALIVE`,
        String(process.pid),
      ),
    judge: refused,
  },
];

/** Number of processes of this machine that have the mark as an argument; 0 if that cannot be determined. */
function processesWith(mark: string): number {
  return attempt(
    () => readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && argumentsOf(pid).includes(mark)).length,
    0,
  );
}

function argumentsOf(pid: string): readonly string[] {
  return attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0'), []);
}
