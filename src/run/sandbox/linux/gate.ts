import type { Readable, Writable } from 'node:stream';
import type { Limits } from '../../policy/types.ts';
import type { Machine } from './machine.ts';
import type { LaunchPlan } from './plan.ts';

/** The places of the descriptors that the parts of a launch speak through; the first two are one pipe. */
export const descriptors = { status: 3, ready: 4, go: 5, channel: 6 } as const;
const readyWord = 'ready';

/** Where the launcher reads which system calls there are: right after the others, so that no place is left open. */
export function filterDescriptor({ told }: Pick<LaunchPlan, 'told'>): number {
  return told === undefined ? descriptors.channel : descriptors.channel + 1;
}

/** Where a run reaches its proxy. */
export const proxyPort = 3128;
export const socketInside = '/run/egress.sock';

/** Processes that are ours and not the run's: the shell that starts it, and one to spare while it does. */
const startingProcesses = 2;
/** How much later the second guard on processes steps in. */
const spareProcesses = 16;
/** Threads of the engine where the program is one of ours; each counts as a process. */
const engineThreads = 24;
/** The bridge to the proxy, and one for each connection. */
export const bridgeConnections = 16;

export function ownProcesses(plan: LaunchPlan): number {
  if (plan.told !== undefined) return startingProcesses + engineThreads;
  return startingProcesses + (plan.socket === undefined ? 0 : 2 + bridgeConnections);
}

/**
 * The first process inside. It lowers its limits, says that it is there, and waits to be told to go on: so that we
 * have put it into its control group before anything of the run is started, and so that nothing starts when we have
 * died meanwhile. The environment comes last, because programs that are ours must not be bent by it.
 */
export function gateScript(machine: Machine, plan: LaunchPlan): string {
  const { ready, go } = descriptors;
  return [
    ...limiting(machine, plan).map((command) => `${command} || exit 126`),
    ...(plan.socket === undefined ? [] : [bridge(machine)]),
    `echo ${readyWord} >&${ready}`,
    `__n='\n'`,
    `IFS= read -r __e <&${go} || exit 125`,
    'eval "$__e" || exit 125',
    'unset __n __e',
    `exec ${ready}>&- ${go}<&-`,
    '"$@"',
    'exit $?',
  ].join('\n');
}

/** Debian's shell can do it alone, and we know its units; any other is helped by a program. */
function limiting(machine: Machine, plan: LaunchPlan): readonly string[] {
  const values = rlimitsOf(machine, plan);
  return machine.shellIsDash ? values.map(byShell) : [`${machine.prlimit} --pid $$ ${values.map(byProgram).join(' ')}`];
}

/**
 * The same limits for a program of ours that no shell inside can give them to. The one on processes would count all of
 * the user's outside, unless the run has a user of its own.
 */
export function limitsOutside(machine: Machine, plan: LaunchPlan): readonly string[] {
  return rlimitsOf(machine, plan)
    .filter(({ name }) => machine.isRoot || name !== 'nproc')
    .map(byProgram);
}

/** The limit on processes for a program that is inside already, where it counts only what is inside with it. */
export function limitInside(machine: Machine, plan: LaunchPlan): readonly string[] {
  return rlimitsOf(machine, plan)
    .filter(({ name }) => !machine.isRoot && name === 'nproc')
    .map(byProgram);
}

interface Rlimit {
  readonly name: 'nproc' | 'core' | 'fsize' | 'nofile' | 'cpu' | 'data';
  readonly value: number;
  /** Where it is higher: a warning first, and then the end. */
  readonly hard?: number;
}

function rlimitsOf(machine: Machine, plan: LaunchPlan): readonly Rlimit[] {
  const { limits } = plan;
  const all: readonly Rlimit[] = [
    { name: 'core', value: 0 },
    { name: 'fsize', value: limits.fileBytes },
    { name: 'nofile', value: machine.openFiles },
    { name: 'cpu', value: limits.cpuSeconds, hard: limits.cpuSeconds + 1 },
    ...memory(machine, limits),
    // A control group counts what it refuses, and nobody counts what this does: where there is one, it comes first.
    { name: 'nproc', value: limits.processes + ownProcesses(plan) + (machine.cgroups === null ? 0 : spareProcesses) },
  ];
  return all;
}

/** What a program may map without using it: from Node 24 on, V8 maps 512 MiB for machine code at its start. */
const mappedBytes = 640 * 1024 * 1024;

/** Stops what takes memory faster than it is watched. */
function memory(machine: Machine, limits: Limits): readonly Rlimit[] {
  return machine.cgroups === null ? [{ name: 'data', value: limits.memoryBytes + mappedBytes }] : [];
}

const letters: Readonly<Record<Rlimit['name'], { readonly letter: string; readonly unit: number }>> = {
  nproc: { letter: 'p', unit: 1 },
  core: { letter: 'c', unit: 512 },
  fsize: { letter: 'f', unit: 512 },
  nofile: { letter: 'n', unit: 1 },
  cpu: { letter: 't', unit: 1 },
  data: { letter: 'd', unit: 1024 },
};

function byShell({ name, value, hard }: Rlimit): string {
  const { letter, unit } = letters[name];
  const count = Math.ceil(value / unit);
  return hard === undefined
    ? `ulimit -${letter} ${count}`
    : `ulimit -S${letter} ${count} && ulimit -H${letter} ${hard}`;
}

function byProgram({ name, value, hard = value }: Rlimit): string {
  return `--${name}=${value}:${hard}`;
}

/** Listens inside and hands on to the proxy's socket. Nothing is started before it listens. */
function bridge(machine: Machine): string {
  const { ready, go } = descriptors;
  const listen = `TCP-LISTEN:${proxyPort},bind=127.0.0.1,reuseaddr,fork,max-children=${bridgeConnections}`;
  const port = proxyPort.toString(16).toUpperCase().padStart(4, '0');
  return [
    `${machine.socat} ${listen} UNIX-CONNECT:${socketInside} ${ready}>&- ${go}<&- 0</dev/null >/dev/null 2>&1 &`,
    'i=0',
    `until grep -q ' 0100007F:${port} [0-9A-F:]* 0A ' /proc/net/tcp`,
    'do i=$((i+1)); [ $i -lt 500 ] || exit 124; sleep 0.01; done',
    'unset i',
  ].join('\n');
}

const name = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * The environment as one line for the first process, and the program with its arguments where it was started without
 * them; null where a name is none.
 */
export function environmentLine(
  env: Readonly<Record<string, string>>,
  argv: readonly string[] | null = null,
): string | null {
  const entries = Object.entries(env);
  const isText = (value: string): boolean => !value.includes('\0');
  if (!entries.every(([key, value]) => name.test(key) && isText(value)) || argv?.every(isText) === false) return null;
  const words = entries.map(([key, value]) => `${key}=${quoted(value)}`);
  const commands = [
    ...(argv === null ? [] : [`set -- ${argv.map(quoted).join(' ')}`]),
    'unset PATH PWD OLDPWD',
    ...(words.length === 0 ? [] : [`export ${words.join(' ')}`]),
  ];
  return `${commands.join('; ')}\n`;
}

/** One word on one line, whatever is in it. */
function quoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`).replaceAll('\n', `'"$__n"'`)}'`;
}

const textLimit = 4096;

/** What the sandbox says of itself while it is set up, and when it ends. */
export interface Status {
  /** The number of the first process inside; null where there never was one. */
  readonly child: Promise<number | null>;
  /** Whether the first process waits to be told to go on; false where it never came to that. */
  readonly ready: Promise<boolean>;
  /** Settles when there is nobody left to say anything. */
  readonly gone: Promise<void>;
  exitCode(): number | null;
}

export function watchStatus(channel: Readable): Status {
  let text = '';
  const find = (pattern: RegExp) => pattern.exec(text)?.[1] ?? null;
  const when = <T>(found: () => T | null, never: T) =>
    new Promise<T>((settle) => {
      channel.on('data', () => {
        const value = found();
        if (value !== null) settle(value);
      });
      channel.once('close', () => settle(never));
    });
  const number = (value: string | null) => (value === null ? null : Number(value));
  channel.on('data', (bytes: Buffer) => {
    if (text.length < textLimit) text += bytes.toString('latin1');
  });
  return {
    child: when<number | null>(() => number(find(/"child-pid"\s*:\s*(\d+)/)), null),
    ready: when<boolean>(() => (text.includes(readyWord) ? true : null), false),
    gone: closeOf(channel),
    exitCode: () => number(find(/"exit-code"\s*:\s*(\d+)/)),
  };
}

export async function textOf(stream: Readable): Promise<string> {
  let text = '';
  stream.on('data', (bytes: Buffer) => {
    if (text.length < textLimit) text += bytes.toString('utf8');
  });
  await closeOf(stream);
  return text.trim();
}

function closeOf(stream: Readable | Writable): Promise<void> {
  return new Promise((settle) => {
    if (stream.closed) settle();
    else stream.once('close', settle);
  });
}
