import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { timeoutMs } from './timeout.ts';

/** An image with nothing in it but a shell and its small programs. */
export const image = 'localhost/small:1';

/** A container engine of a test's own. */
export interface ContainerEngine {
  readonly socket: string;
  /** As `DOCKER_HOST` has it. */
  readonly host: string;
  /**
   * Makes an image from the small one, with what a Dockerfile would say: `VOLUME /data`; and with what a shell makes of
   * its root folder, if anything: `chmod 755 tmp`.
   */
  makeImage(name: string, instructions: readonly string[], script?: string): void;
  /** The names of all containers, running or not. */
  containers(): string[];
  /** Ends the engine's service all at once, and with it every container. */
  crash(): Promise<void>;
  /** Ends the engine with everything that runs in it, and takes its files away. */
  stop(): Promise<void>;
}

const busyboxPlaces = ['/usr/bin/busybox', '/bin/busybox'];

/**
 * Starts Podman's service in namespaces of its own: with the first process of them go all containers, and with the last
 * of them all mounts, however the test ends. Needs root.
 */
export async function startContainerEngine(): Promise<ContainerEngine> {
  if (process.getuid?.() !== 0) throw new Error('a container engine that keeps every limit has to be started by root');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-engine-')));
  const store = { folder, env: configure(folder) };
  try {
    const socket = join(folder, 'engine.sock');
    // Wherever the files lie, one of the two works.
    if (!worksWith(store, 'overlay') && !worksWith(store, 'vfs')) throw new Error('no storage driver works here');
    // A shell is the first process, because Podman does not wait for the orphans it would be given. It ends with our
    // standard input, which closes when we end, even if we are killed.
    const service = `podman system service --time=0 unix://${socket} & read -r _; kill -9 $!`;
    const child = inNamespaces(store, ['sh', '-c', service]);
    await answering(socket, child);
    return {
      socket,
      host: `unix://${socket}`,
      makeImage: (name, instructions, script) => {
        const changes = instructions.flatMap((instruction) => ['--change', instruction]);
        const tar = script === undefined ? join(folder, 'small.tar') : changedImage(folder, script);
        podman(store, ['import', '--quiet', ...changes, tar, name]);
      },
      containers: () => remote(socket, ['ps', '--all', '--format', '{{.Names}}']).split('\n').filter(Boolean),
      crash: () => end(child),
      stop: async () => {
        try {
          if (isRunning(child)) remote(socket, ['rm', '--all', '--force', '--time', '0']);
        } finally {
          await end(child);
          removeGroups(folder);
          rmSync(folder, { recursive: true, force: true });
        }
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

interface Store {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

function configure(folder: string): NodeJS.ProcessEnv {
  writeFileSync(
    join(folder, 'containers.conf'),
    `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
netns = "none"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
lock_type = "file"
tmp_dir = "${folder}/tmp"
volume_path = "${folder}/volumes"
[network]
network_config_dir = "${folder}/networks"
`,
  );
  return {
    PATH: process.env['PATH'],
    HOME: folder,
    CONTAINERS_CONF: join(folder, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
  };
}

function worksWith(store: Store, driver: string): boolean {
  const { folder } = store;
  writeFileSync(
    join(folder, 'storage.conf'),
    `[storage]\ndriver = "${driver}"\ngraphroot = "${folder}/graph"\nrunroot = "${folder}/run"\n`,
  );
  try {
    podman(store, ['import', '--quiet', smallImage(folder), image]);
    podman(store, ['run', '--rm', '--network', 'none', image, '/bin/true']);
    return true;
  } catch {
    rmSync(join(folder, 'graph'), { recursive: true, force: true });
    return false;
  }
}

/** The programs of busybox are one static file and links to it. */
function smallImage(folder: string): string {
  const tar = join(folder, 'small.tar');
  if (existsSync(tar)) return tar;
  const busybox = busyboxPlaces.find((path) => existsSync(path));
  if (busybox === undefined) throw new Error('busybox is missing: apt-get install busybox-static');
  const root = join(folder, 'small');
  for (const name of ['bin', 'etc', 'var']) mkdirSync(join(root, name), { recursive: true });
  mkdirSync(join(root, 'tmp'));
  execFileSync('chmod', ['1777', join(root, 'tmp')]);
  copyFileSync(busybox, join(root, 'bin/busybox'));
  const programs = execFileSync(busybox, ['--list'], { encoding: 'utf8' }).trim().split('\n');
  for (const name of programs) if (name !== 'busybox') symlinkSync('busybox', join(root, 'bin', name));
  execFileSync('tar', ['-C', root, '-cf', tar, '.']);
  return tar;
}

function changedImage(folder: string, script: string): string {
  const [root, tar] = [join(folder, 'changed'), join(folder, 'changed.tar')];
  rmSync(root, { recursive: true, force: true });
  execFileSync('cp', ['-a', join(folder, 'small'), root]);
  execFileSync('sh', ['-ec', script], { cwd: root });
  execFileSync('tar', ['-C', root, '-cf', tar, '.']);
  return tar;
}

const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

function inNamespaces(store: Store, command: readonly string[]): ChildProcess {
  return spawn('unshare', [...namespaces, ...command], {
    env: store.env,
    cwd: store.folder,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

function podman(store: Store, args: readonly string[]): string {
  // A shell again, and one that knows more than one command, or it would not be the first process for long.
  const command = ['sh', '-c', '"$@" & wait $!', 'sh', 'podman', ...args];
  return execFileSync('unshare', [...namespaces, ...command], {
    env: store.env,
    cwd: store.folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function remote(socket: string, args: readonly string[]): string {
  return execFileSync('podman', ['--remote', '--url', `unix://${socket}`, ...args], { encoding: 'utf8' });
}

async function answering(socket: string, child: ChildProcess): Promise<void> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; ) {
    if (!isRunning(child)) throw new Error('the engine has ended');
    if (existsSync(socket) && (await ping(socket))) return;
    await pause(50);
  }
  child.kill('SIGKILL');
  throw new Error('the engine does not answer');
}

function ping(socketPath: string): Promise<boolean> {
  return new Promise((settle) => {
    const asked = request({ socketPath, path: '/_ping' }, (response) => {
      response.resume();
      settle(response.statusCode === 200);
    });
    asked.on('error', () => settle(false));
    asked.end();
  });
}

/** The control groups of containers that ended with their engine. */
function removeGroups(folder: string): void {
  const ids = readdirSync(join(folder, 'graph', 'overlay-containers')).filter((name) => /^[0-9a-f]{64}$/.test(name));
  const groups = '/sys/fs/cgroup';
  const hierarchies = [groups, ...readdirSync(groups).map((name) => join(groups, name))];
  for (const hierarchy of hierarchies) {
    for (const id of ids) {
      try {
        rmdirSync(join(hierarchy, 'libpod_parent', `libpod-${id}`));
      } catch {
        // there is none in this hierarchy
      }
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return;
  const gone = new Promise((settle) => child.once('exit', settle));
  child.kill('SIGKILL');
  await gone;
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
