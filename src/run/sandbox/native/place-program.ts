import { basename, dirname, join, relative } from 'node:path';
import { realPathOf } from '../../../core/disk/files.ts';
import { configFolder, stateFolder } from '../../../core/disk/own-folders.ts';
import { thisProcess } from '../../../core/disk/owner.ts';
import { discard } from '../../../core/disk/replace.ts';
import type { Environment } from '../../../core/environment.ts';
import type { Mount } from '../../policy/types.ts';
import { temporaryFolder } from '../kept-folders.ts';
import { unreachable } from '../mounts.ts';
import { type RunSpec, scratchTarget, skillTarget } from '../types.ts';

type Placed =
  | { readonly ok: true; readonly program: string; readonly binds: readonly Mount[] }
  | { readonly ok: false; readonly reason: string };

/** Names of folders for programs: whatever the program needs lies beside them. */
const programFolders = new Set(['bin', 'sbin', 'shims', 'libexec']);
/** Stores in which every program needs others. */
const stores = ['/nix/store', '/gnu/store'];
/** Folders that hold far more than programs. */
const mixed = new Set(['.local', '.config', '.cache']);
const mixedTops = new Set(['/', '/etc', '/var', '/home', '/root', '/run', '/tmp', '/opt', '/srv', '/mnt', '/media']);

/**
 * Returns the path of a program inside. One that belongs neither to the system nor to the skill, such as an interpreter
 * below the home folder, is shown read-only together with the folder it was installed to, and nothing else.
 */
export function placeProgram(
  spec: RunSpec,
  program: string,
  seen: readonly string[],
  environment: Environment,
): Placed {
  const real = realPathOf(program);
  if (!real.ok) return { ok: false, reason: `the program ${program} does not exist (${real.reason})` };
  const shown = [{ source: spec.skillFolder, target: skillTarget }, ...spec.mounts];
  const mount = shown.find(({ source }) => isWithin(real.value, source));
  if (mount !== undefined) {
    return { ok: true, program: join(mount.target, relative(mount.source, real.value)), binds: [] };
  }
  const outside = [...new Set([program, real.value])].filter((path) => !isSystem(path, seen));
  const sources = [...new Set(outside.map((path) => installFolderOf(path, environment)))];
  return { ok: true, program, binds: sources.map((source) => ({ source, target: source, access: 'read' })) };
}

/** Tells whether a program belongs to the system; `/bin/sh` does too if `/bin` is a link into it. */
function isSystem(path: string, seen: readonly string[]): boolean {
  const real = realPathOf(dirname(path));
  return seen.some((folder) => isWithin(path, folder) || (real.ok && isTop(path) && isWithin(real.value, folder)));
}

function isTop(path: string): boolean {
  return /^\/(?:s?bin|lib\w*)\//.test(path);
}

function installFolderOf(path: string, environment: Environment): string {
  const store = stores.find((folder) => isWithin(path, folder));
  if (store !== undefined) return store;
  const folder = dirname(dirname(path));
  const isKnown = programFolders.has(basename(dirname(path)));
  return isKnown && !holdsMore(folder, environment) ? folder : path;
}

function holdsMore(folder: string, environment: Environment): boolean {
  const ours = [environment.home, configFolder(environment), stateFolder(environment)];
  return mixedTops.has(folder) || mixed.has(basename(folder)) || ours.some((place) => isWithin(place, folder));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/**
 * Returns why a run of root cannot use one of its mounts; null if it can. Such a run is a user that owns nothing and
 * can read only what others can; saying so before the run is better than an error somewhere in it.
 */
export function unreachableIn(binds: readonly Mount[]): string | null {
  const who = 'when started by root, a run is a user without privileges, which';
  return binds.map((mount) => unreachable(mount, who)).find((problem) => problem !== null) ?? null;
}

export const scratchPrefix = 'repertoire-scratch-';

/** The parts of a run on platforms where folders cannot be shown under other names. */
export interface RealRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly scratch: string;
  remove(): void;
}

/** Prepares a run with its skill at its real path, and a scratch folder of its own that is removed afterwards. */
export function realRunOf(spec: RunSpec): RealRun | null {
  if (spec.task.kind !== 'command') return null;
  const scratch = temporaryFolder(`${scratchPrefix}${thisProcess()}-`);
  // Variables may name the scratch folder. Arguments are the caller's text, and are not changed.
  const env = Object.entries(spec.env).map(([name, value]) => [name, value === scratchTarget ? scratch : value]);
  return {
    program: spec.task.program,
    args: spec.task.args,
    env: { ...(Object.fromEntries(env) as Record<string, string>), TMPDIR: scratch },
    cwd: spec.folder === 'skill' ? spec.skillFolder : scratch,
    scratch,
    remove: () => discard(scratch),
  };
}
