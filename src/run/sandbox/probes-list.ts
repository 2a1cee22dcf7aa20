import { readdirSync, readFileSync } from 'node:fs';
import { guardProbes, limitProbes, type Probe, refused, shell } from './probe.ts';

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
