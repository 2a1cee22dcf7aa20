import { chmodSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { thisProcess } from '../../../core/disk/owner.ts';
import { packageBeside } from '../../../core/disk/package-file.ts';
import { discard } from '../../../core/disk/replace.ts';
import type { Environment } from '../../../core/environment.ts';
import { reasonOf } from '../../../core/errors.ts';
import { hostText } from '../../policy/hosts.ts';
import type { Limits } from '../../policy/types.ts';
import { type Ending, engineError } from '../ending.ts';
import { temporaryFolder } from '../kept-folders.ts';
import { orphansIn } from '../linux/owner.ts';
import { supervise } from '../supervise.ts';
import type { Enforcement, Outcome, Readiness, RunSpec, SandboxRuntime, Watcher } from '../types.ts';
import { placeProgram, type RealRun, realRunOf, scratchPrefix } from './place-program.ts';
import { startPlain, watchTree } from './plain-process.ts';

/** The sandbox package. Not a dependency of ours: users who want it install it beside us. */
const packageName = '@anthropic-ai/sandbox-runtime';
const packageVersion = '0.0.78';

const systemFolders = ['/usr', '/bin', '/sbin', '/System', '/Library', '/opt/homebrew', '/Applications/Xcode.app'];
const settingsPrefix = 'repertoire-settings-';

const enforcement: readonly Enforcement[] = [
  { what: 'files', by: 'Seatbelt' },
  { what: 'network', by: 'Seatbelt and the proxy of sandbox-runtime' },
  { what: 'processes', by: 'watched, four times a second' },
  { what: 'memory', by: 'watched, four times a second' },
  { what: 'cpu', by: 'rlimit, per process' },
  { what: 'time', by: 'timer, SIGKILL of the process group' },
  { what: 'output', by: 'bytes counted, SIGKILL of the process group' },
  { what: 'scratch', by: 'rlimit, per file' },
  { what: 'user', by: 'your user' },
];

/**
 * Runs commands in the sandbox of macOS. The package keeps one list of hosts for a whole process, whatever is passed
 * for one command, so each run gets a process of its own, with settings of its own.
 */
export function createSeatbeltRuntime(environment: Environment): SandboxRuntime {
  return {
    name: 'native',
    seesSkillAt: (folder) => folder,
    readiness: () => Promise.resolve(readinessOf(findPackage())),
    run: async (spec, watcher) => {
      const began = performance.now();
      const failed = (why: string): Outcome => {
        return { ...engineError(why, performance.now() - began), enforcement: [], denials: [] };
      };
      const entry = findPackage();
      if (entry === null) return failed(`${packageName} is not installed`);
      let real: RealRun | null = null;
      try {
        real = realRunOf(spec);
        if (real === null) return failed(`this runtime runs commands, not a ${spec.task.kind}`);
        return await runIn({ entry, real, environment, began }, spec, watcher);
      } catch (error) {
        return failed(reasonOf(error));
      } finally {
        real?.remove();
      }
    },
    sweep: async () => {
      const left = [scratchPrefix, settingsPrefix].flatMap((prefix) => orphansIn(tmpdir(), prefix));
      for (const orphan of left) discard(orphan);
    },
    close: () => Promise.resolve(),
  };
}

interface Setting {
  /** The command line entry point of the package. */
  readonly entry: string;
  readonly real: RealRun;
  readonly environment: Environment;
  readonly began: number;
}

async function runIn({ entry, real, environment, began }: Setting, spec: RunSpec, watcher: Watcher): Promise<Outcome> {
  const placed = placeProgram(spec, real.program, systemFolders, environment);
  const program = placed.ok ? placed.binds.map(({ source }) => source) : [];
  const folder = temporaryFolder(`${settingsPrefix}${thisProcess()}-`);
  try {
    const file = join(folder, 'settings.json');
    writeFileSync(file, JSON.stringify(settingsFor(spec, { home: environment.home, scratch: real.scratch, program })));
    chmodSync(file, 0o600);
    const running = startPlain({
      program: process.execPath,
      args: commandLine(entry, file, spec, real),
      env: real.env,
      cwd: real.cwd,
      stdin: spec.stdin === null ? 'none' : 'pipe',
    });
    let exceeded = null as 'memory' | 'processes' | null;
    const tree = watchTree(running.pid ?? 0, spec.limits, (what) => {
      exceeded ??= what;
      running.kill();
    });
    const ended = running.ended.then((end) => ({ ...end, memoryExceeded: exceeded === 'memory' }));
    const ending = await supervise(
      { ...running, ...tree, ended },
      { stdin: spec.stdin, limits: spec.limits, watcher, began },
    );
    tree.end();
    return { ...withCause(ending, exceeded, spec.limits), enforcement, denials: [] };
  } finally {
    discard(folder);
  }
}

function withCause(ending: Ending, exceeded: 'memory' | 'processes' | null, limits: Limits): Ending {
  if (exceeded !== 'processes' || ending.reason !== 'lost') return ending;
  return { ...ending, message: `it started more processes than the limit of ${limits.processes}` };
}

/** The command line for a run. No shell of ours sees the arguments: the package quotes each for its own. */
export function commandLine(entry: string, settings: string, spec: RunSpec, real: RealRun): readonly string[] {
  const limited = ['/bin/sh', '-c', limitScript(spec.limits), 'run', real.program, ...real.args];
  return [entry, '--settings', settings, '--', ...limited];
}

function readinessOf(entry: string | null): Readiness {
  if (entry !== null) return { ready: true, enforcement };
  return {
    ready: false,
    reason: `the macOS sandbox is used through ${packageName}, which is not installed`,
    remedy: `Install it: npm install --global ${packageName}@${packageVersion}`,
  };
}

/** Finds the package beside us or among npm's global ones; never in the current project, which could bring its own. */
function findPackage(): string | null {
  const entry = packageBeside(packageName);
  return entry === undefined ? null : join(dirname(entry), 'cli.js');
}

/** The settings of the sandbox package, as far as we use them. */
interface SeatbeltSettings {
  readonly network: { readonly allowedDomains: readonly string[]; readonly deniedDomains: readonly string[] };
  readonly filesystem: {
    readonly denyRead: readonly string[];
    readonly allowRead: readonly string[];
    readonly allowWrite: readonly string[];
    readonly denyWrite: readonly string[];
  };
}

/** Folders where people keep their own files. The system itself is readable by everyone. */
const privatePlaces = [
  '/Users',
  '/Volumes',
  '/Library/Keychains',
  '/private/var',
  '/var',
  '/tmp',
  '/private/tmp',
  '/etc/ssh',
];

interface Places {
  readonly home: string;
  readonly scratch: string;
  /** Folders that the program was installed to, if not with the system. */
  readonly program: readonly string[];
}

/** Returns settings that close all of people's folders, and open again those that this run may see. */
export function settingsFor(spec: RunSpec, places: Places): SeatbeltSettings {
  const granted = (access: 'read' | 'write') =>
    spec.mounts.filter((mount) => mount.access === access).map((mount) => mount.source);
  const guarded = (spec.guards ?? []).flatMap(({ source, access }) => (access === 'read' ? [source] : []));
  const writable = [places.scratch, ...granted('write')];
  return {
    network: { allowedDomains: spec.network.map(hostText), deniedDomains: [] },
    filesystem: {
      denyRead: [...new Set([places.home, ...privatePlaces])],
      allowRead: [spec.skillFolder, ...places.program, ...granted('read'), ...writable],
      allowWrite: writable,
      denyWrite: [spec.skillFolder, ...granted('read'), ...guarded],
    },
  };
}

/** The script that sets the limits per process, for the system's own shell. */
export function limitScript(limits: Limits): string {
  const blocks = Math.ceil(limits.fileBytes / 512);
  return `ulimit -c 0 && ulimit -t ${limits.cpuSeconds} && ulimit -f ${blocks} || exit 126; exec "$@"`;
}
