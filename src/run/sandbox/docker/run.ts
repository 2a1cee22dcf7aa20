import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContainerCreateOptions, ImageInspectInfo } from 'dockerode';
import { realPathOf } from '../../../core/disk/files.ts';
import { settlesWithin } from '../../../core/settles-within.ts';
import type { Mount } from '../../policy/types.ts';
import { type EgressProxy, proxyVariables, startProxy } from '../egress-proxy.ts';
import { engineError } from '../ending.ts';
import { bridgeConnections, proxyPort } from '../linux/arguments.ts';
import { errors, families, makingFlags, modeCalls, opaque, privilegeBits, refused } from '../linux/system-calls.ts';
import { findProgram } from '../linux/system-view.ts';
import { mountsOf } from '../mounts.ts';
import { supervise } from '../supervise.ts';
import type { Denial, Lack, Outcome, RunSpec, Task, Watcher } from '../types.ts';
import { type EngineInfo, enforcementBy, isPodman } from './ability.ts';
import {
  closedFolders,
  containerFor,
  createRunFolder,
  hardened,
  mounted,
  problemWithMounts,
  type RunFolder,
} from './container.ts';
import { containerName, create, type Engine, isImageName, type Plan, remove, statusOf, type Walls } from './engine.ts';
import { attach, demultiplexer, live } from './life.ts';
import { meterFor, watchLimits } from './limit-watch.ts';

type ContainerJob = Extract<Task, { kind: 'container' }>;

/** The engine, settings and callbacks that containers are run with. */
interface Workplace {
  readonly engine: Engine;
  /** The runtime that the engine is to use for containers; absent for its default. */
  readonly runtime?: string | undefined;
  /** The folder in which folders for sockets are created. */
  readonly socketParent: string;
  /** Called with the name of a container that the engine did not remove. */
  readonly onLeft: (name: string) => void;
  /** Removes containers whose runs are over, or whose processes have died, and that may still change these folders. */
  readonly free: (mounts: RunSpec['mounts']) => Promise<void>;
}

/** Runs one container to its end. */
export async function runContainer(place: Workplace, spec: RunSpec, watcher: Watcher): Promise<Outcome> {
  const began = performance.now();
  const { engine, onLeft } = place;
  const { task, limits, stdin } = spec;
  const folder = createRunFolder(place.socketParent);
  const egress = spec.network.length === 0 ? null : egressFor(spec, folder);
  const network = egress === null ? 'no network' : 'no network but the egress proxy';
  const enforcement = enforcementBy(engine.info, network, place.runtime);
  const problem = problemWith(spec);
  if (problem !== null || task.kind !== 'container') {
    return { ...engineError(problem ?? '', performance.now() - began), enforcement, denials: [] };
  }
  const meter = meterFor(engine.info, limits.cpuSeconds);
  const watch = watchLimits(engine.info, spec);
  const life = live(engine, {
    prepare: async () => {
      await checkFolders(place, spec);
      const walls = { callOption: callOption(engine.info, folder), runtime: place.runtime };
      return plan(engine, spec, task, egress, walls);
    },
    onCreate: ({ id }) => watch.created(id),
    onStart: meter.start,
    onQuiet: watch.reached,
    onEnd: watch.atEnd,
    onLeft,
    clear: async () => {
      await egress?.close(engine, onLeft);
      folder.remove();
    },
    input: stdin === null ? 'none' : 'pipe',
  });
  const ending = await supervise(
    { ...life, cpuSeconds: meter.seconds, memoryBytes: meter.memoryBytes, reached: watch.reached },
    { stdin, limits, watcher, began },
  );
  const denials = egress?.denials() ?? [];
  return { ...ending, message: life.note() ?? ending.message, enforcement, denials };
}

/**
 * Checks that no folder to be mounted was replaced, because the engine mounts by name what was checked earlier. Runs
 * under way that could replace one by a link are waited for; containers that nobody knows of any more are removed here.
 */
async function checkFolders({ free }: Workplace, { mounts, guards = [] }: RunSpec): Promise<void> {
  if (mounts.length === 0) return;
  await free(mounts);
  const turned = [...mounts, ...guards].find(({ source }) => !isItself(source));
  if (turned !== undefined) throw new Error(`${turned.source} was replaced while the run was starting`);
}

function isItself(path: string): boolean {
  const real = realPathOf(path);
  return real.ok && real.value === path;
}

async function plan(
  engine: Engine,
  spec: RunSpec,
  task: ContainerJob,
  egress: Egress | null,
  walls: Walls,
): Promise<Plan> {
  const { args } = task;
  const image = await imageOf(engine, task.image);
  const network = (await egress?.open(engine, image.Id, walls)) ?? 'none';
  const env = egress === null ? spec.env : { ...spec.env, ...proxyVariables(proxyPort) };
  return containerFor(spec, engine.info, { image, args, env, network, walls });
}

/** Looks up an image. It is never pulled without being requested: only what the operator has inspected is run. */
async function imageOf(engine: Engine, name: string): Promise<ImageInspectInfo> {
  try {
    return await engine.docker.getImage(name).inspect();
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    throw new Error(`${absent(name)}; fetch it with \`${fetching(engine, name)}\``);
  }
}

function absent(image: string): string {
  return `the image ${image} is not on this machine`;
}

function fetching({ info }: Engine, image: string): string {
  return `${isPodman(info) ? 'podman' : 'docker'} pull ${image}`;
}

/** Tells that an image is missing, before anything is run; an engine that does not answer says so when it runs. */
export async function missingImage(engine: Engine, name: string): Promise<Lack | null> {
  if (!isImageName(name)) return null;
  const asked = engine.docker.getImage(name).inspect();
  const status = asked.then(
    () => 200,
    (error: unknown) => statusOf(error),
  );
  if (!(await settlesWithin(lookMs, status)) || (await status) !== 404) return null;
  return { reason: absent(name), remedy: `Fetch it with \`${fetching(engine, name)}\`.` };
}

/** Milliseconds that an engine may take to look for an image. */
const lookMs = 3000;

/** Returns why no engine would understand the request as it is meant; null if it is fine. */
function problemWith(spec: RunSpec): string | null {
  const { task } = spec;
  if (task.kind !== 'container') return `containers run images, not a ${task.kind}`;
  if (!isImageName(task.image)) return `\`${task.image}\` is not the name of an image`;
  const texts = [...task.args, ...Object.entries(spec.env).flat()];
  if (texts.some((text) => text.includes('\0'))) return 'arguments and variables cannot contain NUL characters';
  return problemWithMounts(mountsOf(spec));
}

/**
 * System calls refused in containers: new namespaces and mounts, which bubblewrap leaves no way to; and those that the
 * profiles of engines refuse, because ours replaces them.
 */
const refusedInContainers = [
  ...['unshare', 'setns', 'mount', 'umount', 'umount2', 'pivot_root', 'fsopen', 'fsconfig', 'fsmount', 'fspick'],
  ...['move_mount', 'open_tree', 'mount_setattr', 'statmount', 'listmount', 'fanotify_init', 'quotactl', 'quotactl_fd'],
  ...['init_module', 'finit_module', 'delete_module', 'create_module', 'query_module', 'get_kernel_syms', 'kexec_load'],
  ...['kexec_file_load', 'reboot', 'swapon', 'swapoff', 'acct', 'nfsservctl', 'uselib', 'ustat', 'sysfs', '_sysctl'],
  ...['settimeofday', 'stime', 'clock_settime', 'clock_adjtime', 'ioperm', 'iopl', 'vm86', 'vm86old', 'lookup_dcookie'],
  ...['open_by_handle_at', 'name_to_handle_at', 'kcmp', 'pidfd_getfd'],
  ...['mbind', 'move_pages', 'migrate_pages', 'set_mempolicy', 'get_mempolicy', 'vhangup', 'socketcall'],
];

/** Flags of `clone` that request a namespace: mount, cgroup, UTS, IPC, user, PID and network. */
const namespaceFlags = [0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000];

interface Condition {
  readonly index: number;
  readonly value: number;
  readonly valueTwo?: number;
  readonly op: 'SCMP_CMP_EQ' | 'SCMP_CMP_GT' | 'SCMP_CMP_MASKED_EQ';
}

const hasBit = (index: number, bit: number): Condition => {
  return { index, value: bit, valueTwo: bit, op: 'SCMP_CMP_MASKED_EQ' };
};

function rule(names: readonly string[], error: keyof typeof errors, args: readonly Condition[] = []) {
  return { names, action: 'SCMP_ACT_ERRNO', errnoRet: errors[error], args };
}

/** Rules for calls that set a file's mode. All conditions of a rule must hold; anything else has another rule. */
function modeRules() {
  return Object.entries(modeCalls as Readonly<Record<string, { mode: number; flags?: number }>>).flatMap(
    ([name, { mode, flags }]) => {
      const making = flags === undefined ? [[]] : makingFlags.map((flag) => [hasBit(flags, flag)]);
      return making.flatMap((makes) =>
        privilegeBits.map((bit) => rule([name], 'notPermitted', [...makes, hasBit(mode, bit)])),
      );
    },
  );
}

function socketRules() {
  const last = Math.max(...families);
  const others = Array.from({ length: last }, (_, family) => family).filter((family) => !families.includes(family));
  const conditions: Condition[] = [
    ...others.map((value) => ({ index: 0, value, op: 'SCMP_CMP_EQ' as const })),
    { index: 0, value: last, op: 'SCMP_CMP_GT' },
  ];
  return conditions.map((condition) => rule(['socket'], 'noSuchFamily', [condition]));
}

const architectures: Readonly<Record<string, readonly string[]>> = {
  x64: ['SCMP_ARCH_X86_64', 'SCMP_ARCH_X86'],
  arm64: ['SCMP_ARCH_AARCH64'],
};

/** The seccomp profile for containers in the engines' format: the rules of the native filter, and more. */
function callProfile(processor: string): string {
  const known = architectures[processor];
  return JSON.stringify({
    defaultAction: 'SCMP_ACT_ALLOW',
    ...(known && { architectures: known }),
    syscalls: [
      rule([...refused, ...refusedInContainers], 'notPermitted'),
      rule([...opaque, 'clone3'], 'noSuchCall'),
      ...namespaceFlags.map((flag) => rule(['clone'], 'notPermitted', [hasBit(0, flag)])),
      ...socketRules(),
      ...modeRules(),
    ],
  });
}

/** The security option that gives an engine the profile: Docker takes its text, Podman the path of a file. */
function callOption(info: EngineInfo, folder: RunFolder): string {
  const profile = callProfile(process.arch);
  if (!isPodman(info)) return `seccomp=${profile}`;
  const file = join(folder.path(), 'calls.json');
  writeFileSync(file, profile, { mode: 0o600 });
  return `seccomp=${file}`;
}

/** The folder where the bridge sees the proxy's socket. */
const socketFolder = '/egress';

/** Folders of the host that its programs need to run, mounted at the same paths. */
const systemFolders = ['/usr', '/lib', '/lib64', '/lib32'];

const listeningWord = /\blistening on\b/;
const mebibyte = 1024 * 1024;

/** Limits of a bridge, which needs little: one process per connection. */
const limits = { memoryBytes: 64 * mebibyte, processes: bridgeConnections + 8, fileBytes: mebibyte };

interface Bridge {
  readonly imageId: string;
  /** The folder that holds the proxy's socket. */
  readonly folder: string;
  readonly walls: Walls;
}

/**
 * Starts the container that holds the network of a tool. That network contains only a program that accepts connections
 * and forwards them to the proxy; the tool's own container joins it later and never sees the socket. The program is the
 * host's, because images cannot be relied on to have one.
 */
async function startBridge(engine: Engine, spec: RunSpec, { imageId, folder, walls }: Bridge): Promise<string> {
  const program = findProgram('socat');
  if (program === null) throw new Error('network access needs socat, which is not installed: apt-get install socat');
  const name = containerName(spec.id, 'bridge');
  const options = bridgeFor(hardened(limited(spec), engine.info, 'bridge', walls), engine.info, program, folder);
  const container = await create(engine, { ...options, name, Image: imageId });
  const socket = await attach(engine, container.id, ['stderr']);
  const listening = new Promise<void>((settle, fail) => {
    let said = '';
    const demultiplex = demultiplexer((_stream, bytes) => {
      said = (said + bytes.toString('latin1')).slice(-4096);
      if (listeningWord.test(said)) settle();
    });
    socket.on('data', demultiplex);
    socket.on('error', fail);
    socket.on('close', () => fail(new Error(`the bridge to the proxy cannot be started: ${said.trim()}`)));
  });
  try {
    await Promise.all([listening, container.start()]);
  } finally {
    socket.destroy();
  }
  return container.id;
}

function limited(spec: RunSpec): RunSpec {
  return { ...spec, limits: { ...spec.limits, ...limits } };
}

function bridgeFor(
  common: ContainerCreateOptions,
  info: EngineInfo,
  program: string,
  folder: string,
): ContainerCreateOptions {
  const listen = `TCP-LISTEN:${proxyPort},bind=127.0.0.1,reuseaddr,fork,max-children=${bridgeConnections}`;
  const binds = [...systemFolders.flatMap(shown), { source: folder, target: socketFolder, access: 'read' } as const];
  return {
    ...common,
    // `-d` is given twice because socat otherwise does not report when it listens.
    Entrypoint: [program, '-d', '-d', listen, `UNIX-CONNECT:${socketFolder}/${socketName}`],
    Cmd: [],
    Env: [],
    WorkingDir: '/',
    HostConfig: { ...common.HostConfig, ...mounted(binds), Tmpfs: closedFolders(info, []) },
  };
}

const socketName = 'proxy.sock';

/** Mounts a folder of the host at its own path, with links resolved: on some systems these folders are links. */
function shown(path: string): Mount[] {
  const real = realPathOf(path);
  return real.ok ? [{ source: real.value, target: path, access: 'read' }] : [];
}

/** The only way out of a container: its own proxy, and the bridge to it. */
interface Egress {
  /** Opens the way out and returns the network that the container joins. */
  open(engine: Engine, imageId: string, walls: Walls): Promise<string>;
  denials(): readonly Denial[];
  close(engine: Engine, onLeft: (name: string) => void): Promise<void>;
}

function egressFor(spec: RunSpec, folder: RunFolder): Egress {
  let isOpen = false;
  let proxy: EgressProxy | null = null;
  return {
    open: async (engine, imageId, walls) => {
      isOpen = true;
      // The outer folder is closed to everyone; the inner one is mounted, and used by a user that owns nothing.
      const inner = join(folder.path(), 'egress');
      mkdirSync(inner);
      chmodSync(inner, 0o755);
      proxy = await startProxy({ rules: spec.network, socket: join(inner, socketName) });
      return `container:${await startBridge(engine, spec, { imageId, folder: inner, walls })}`;
    },
    denials: () => proxy?.denials() ?? [],
    close: async (engine, onLeft) => {
      if (!isOpen) return;
      const name = containerName(spec.id, 'bridge');
      if (!(await remove(engine, name))) onLeft(name);
      await proxy?.close();
    },
  };
}
