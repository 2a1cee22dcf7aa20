import type { Readable, Writable } from 'node:stream';
import type { Limits } from '../../policy/types.ts';
import type { Machine } from './machine.ts';
import type { LaunchPlan } from './plan.ts';

/** Descriptors through which the parts of a launch communicate; the first two are one pipe. */
export const descriptors = { status: 3, ready: 4, go: 5, channel: 6 } as const;
const readyWord = 'ready';

/** The descriptor from which the launcher reads the seccomp filter: right after the others, so that no gap is left. */
export function filterDescriptor({ startLine }: Pick<LaunchPlan, 'startLine'>): number {
  return startLine === undefined ? descriptors.channel : descriptors.channel + 1;
}

/** The port and socket through which a run reaches its proxy. */
export const proxyPort = 3128;
export const socketInside = '/run/egress.sock';

/** Processes that are ours and not the run's: the shell that starts it, and one to spare while it does. */
const startingProcesses = 2;
/** Processes by which the rlimit exceeds that of the control group, so that it acts second. */
const spareProcesses = 16;
/** Threads of the engine if the program is one of ours; each counts as a process. */
const engineThreads = 24;
/** Connections that the bridge to the proxy handles at once; each takes a process, besides the bridge's own. */
export const bridgeConnections = 16;

export function ownProcesses(plan: LaunchPlan): number {
  if (plan.startLine !== undefined) return startingProcesses + engineThreads;
  return startingProcesses + (plan.socket === undefined ? 0 : 2 + bridgeConnections);
}

/**
 * The script of the first process inside. It lowers its limits, reports that it is ready, and waits for the signal to
 * go on: so that we have put it into its control group before anything of the run starts, and so that nothing starts if
 * we have died meanwhile. The environment comes last, because it must not affect programs of ours.
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

/** Commands that lower the limits: Debian's shell, whose units are known, can do it alone; others need a program. */
function limiting(machine: Machine, plan: LaunchPlan): readonly string[] {
  const values = rlimitsOf(machine, plan);
  return machine.shellIsDash ? values.map(byShell) : [`${machine.prlimit} --pid $$ ${values.map(byProgram).join(' ')}`];
}

/**
 * The limits as options of `prlimit`, for a program of ours that no shell inside can apply them to. The one on
 * processes would count all of the user's processes outside, unless the run has a user of its own.
 */
export function limitsOutside(machine: Machine, plan: LaunchPlan): readonly string[] {
  return rlimitsOf(machine, plan)
    .filter(({ name }) => machine.isRoot || name !== 'nproc')
    .map(byProgram);
}

/** The limit on processes for a program that is already inside, where only processes inside are counted. */
export function limitInside(machine: Machine, plan: LaunchPlan): readonly string[] {
  return rlimitsOf(machine, plan)
    .filter(({ name }) => !machine.isRoot && name === 'nproc')
    .map(byProgram);
}

interface Rlimit {
  readonly name: 'nproc' | 'core' | 'fsize' | 'nofile' | 'cpu' | 'data';
  readonly value: number;
  /** The hard limit, if it is higher: a warning first, then the kill. */
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
    // A control group counts its refusals and nobody counts those of this limit, so the control group must act first.
    { name: 'nproc', value: limits.processes + ownProcesses(plan) + (machine.cgroups === null ? 0 : spareProcesses) },
  ];
  return all;
}

/** Bytes a program may map without using them: from Node 24 on, V8 maps 512 MiB for machine code at its start. */
const mappedBytes = 640 * 1024 * 1024;

/** The limit that stops programs which take memory faster than it is polled. */
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

/** The script that starts the bridge inside, to the proxy's socket. Nothing else starts before it listens. */
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
 * The environment as one line for the first process, and the program with its arguments if it was started without them;
 * null if a name is invalid.
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

/** Quotes any value as one shell word on one line. */
function quoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`).replaceAll('\n', `'"$__n"'`)}'`;
}

const textLimit = 4096;

/** The reports of the sandbox about its set-up and its end. */
export interface Status {
  /** The process ID of the first process inside; null if there never was one. */
  readonly child: Promise<number | null>;
  /** Whether the first process waits for the signal to go on; false if it never got that far. */
  readonly ready: Promise<boolean>;
  /** Settles when nobody is left to report anything. */
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
