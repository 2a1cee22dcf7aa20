import { readdirSync, readFileSync } from 'node:fs';
import type { Limits } from '../policy/types.ts';
import type { Enforcement, Outcome } from './types.ts';

export interface Surroundings {
  /** Outside, for everyone to read. */
  readonly file: string;
  /** Of this machine, where something listens. */
  readonly port: number;
  readonly abstract: string;
  /** Among the arguments of processes that must not be left. */
  readonly mark: string;
  readonly node: string;
}

export interface ProbeRun {
  readonly outcome: Outcome;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: number;
}

interface Judgement {
  readonly held: boolean;
  readonly detail: string;
}

export interface Probe {
  readonly id: string;
  readonly name: string;
  readonly expectation: string;
  readonly what: Enforcement['what'];
  readonly limits?: Partial<Limits>;
  command(around: Surroundings): readonly string[];
  judge(run: ProbeRun, around: Surroundings): Judgement;
}

const shell = (script: string, ...args: readonly string[]) => ['/bin/sh', '-c', script, 'probe', ...args];

/** The program says `ALIVE` at its end, so that one that broke off half-way is not taken for one that was refused. */
function refused({ stdout }: ProbeRun): Judgement {
  const got = stdout.split('\n').filter((line) => line !== '' && line !== 'ALIVE');
  if (got.length > 0) return { held: false, detail: `it got through: ${got.slice(0, 3).join(', ')}` };
  return stdout.includes('ALIVE') ? { held: true, detail: 'refused' } : { held: false, detail: 'it failed' };
}

function endedBy(reason: Outcome['reason']): Probe['judge'] {
  return ({ outcome }) => ({
    held: outcome.reason === reason,
    detail: outcome.message ?? `it ended with ${outcome.reason}`,
  });
}

/** Opens, and writes nothing. */
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

export const probes: readonly Probe[] = [
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
    // Names alone: what they stand for is nobody's business, ours included.
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
  {
    id: 'processes',
    name: 'sixty processes where 24 are allowed',
    expectation: 'no more than 24 are started',
    what: 'processes',
    command: () => shell('i=0; while [ $i -lt 60 ]; do sleep 3 & i=$((i+1)); echo made; done'),
    judge: ({ stdout }) => {
      const made = stdout.split('made').length - 1;
      return { held: made > 0 && made <= 24, detail: `${made} were started` };
    },
  },
  {
    id: 'memory',
    name: '200 MB of memory where 64 MB are allowed',
    expectation: 'it is stopped, or gets no more',
    what: 'memory',
    command: () => shell('[ "$(head -c "$1" /dev/zero | tail -c "$1" | wc -c)" -eq "$1" ] && echo took', '209715200'),
    judge: ({ stdout, outcome }) => {
      const held = !stdout.includes('took') && (outcome.reason === 'memory' || outcome.exitCode !== 0);
      return { held, detail: outcome.message ?? (held ? 'it got no more' : 'it took all of it') };
    },
  },
  {
    id: 'scratch',
    name: '4 MB in a scratch folder of 1 MB',
    expectation: 'the folder is full',
    what: 'scratch',
    command: () => shell('head -c 4194304 /dev/zero > /tmp/fill 2>/dev/null && echo wrote all of it; echo ALIVE'),
    judge: refused,
  },
  {
    id: 'output',
    name: 'output without end',
    expectation: 'it is cut at the limit, to the byte',
    what: 'output',
    command: () => shell('exec tr "\\0" x < /dev/zero'),
    judge: (run) => {
      const held = run.outcome.reason === 'output_limit' && run.bytes === 65_536;
      return { held, detail: `${run.bytes} bytes came through` };
    },
  },
  {
    id: 'deadline',
    name: 'a program that ignores signals to stop',
    expectation: 'it is killed at its deadline',
    what: 'time',
    limits: { timeoutMs: 700 },
    command: () => shell('trap "" TERM INT HUP; while :; do sleep 1; done'),
    judge: endedBy('timeout'),
  },
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

/** How many processes of this machine have the mark as an argument; where that cannot be told, none. */
function processesWith(mark: string): number {
  try {
    return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && argumentsOf(pid).includes(mark)).length;
  } catch {
    return 0;
  }
}

function argumentsOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
  } catch {
    return [];
  }
}
