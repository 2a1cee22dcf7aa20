import { basename, dirname, join, relative } from 'node:path';
import type { Environment } from '../../kernel/environment.ts';
import { realPathOf } from '../../kernel/files.ts';
import { configFolder, stateFolder } from '../../kernel/own-folders.ts';
import type { Mount } from '../../policy/types.ts';
import { type RunSpec, skillTarget } from '../types.ts';

export type Placed =
  | { readonly ok: true; readonly program: string; readonly binds: readonly Mount[] }
  | { readonly ok: false; readonly reason: string };

/** Folders for programs: what the program needs lies beside them. */
const programFolders = new Set(['bin', 'sbin', 'shims', 'libexec']);
/** Stores in which every program needs others. */
const stores = ['/nix/store', '/gnu/store'];
/** Folders that hold far more than programs. */
const mixed = new Set(['.local', '.config', '.cache']);
const mixedTops = new Set(['/', '/etc', '/var', '/home', '/root', '/run', '/tmp', '/opt', '/srv', '/mnt', '/media']);

/**
 * Where a program is inside. One that is neither of the system nor of the skill, such as an interpreter below the home
 * folder, is shown read-only together with the folder it was installed to, and with nothing else.
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

/** `/bin/sh` is of the system too where `/bin` is a link into it. */
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

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
