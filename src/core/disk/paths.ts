import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type Environment, variable } from '../environment.ts';

/** Makes `~`, `~/x` and relative paths absolute, the way a shell would. */
export function expandPath(path: string, environment: Environment): string {
  if (path === '~') return environment.home;
  if (path.startsWith('~/') || path.startsWith('~\\')) return join(environment.home, path.slice(2));
  return resolve(environment.cwd, path);
}

/** Joins a path to a folder, where both are already normalized: `join` without its care and its cost. */
export function below(folder: string, path: string): string {
  return folder.endsWith(sep) ? folder + path : folder + sep + path;
}

/** Whether `path` is `folder` or lies below it. Both must be real paths already: this compares text only. */
export function isInside(folder: string, path: string): boolean {
  if (path === folder) return true;
  const prefix = folder.endsWith(sep) ? folder : folder + sep;
  return path.startsWith(prefix);
}

/** A path as people write it: with `~` for home, relative when it is below the working directory. */
export function displayPath(path: string, environment: Environment): string {
  if (isInside(environment.cwd, path)) {
    return relative(environment.cwd, path) || '.';
  }
  if (environment.home !== '' && environment.home !== sep && isInside(environment.home, path)) {
    return join('~', relative(environment.home, path));
  }
  return path;
}

/** A folder below home that an environment variable may move. */
export function movable(environment: Environment, name: string, fallback: string): string {
  const moved = variable(environment, name);
  return moved === undefined ? below(environment.home, fallback) : resolve(environment.cwd, moved);
}

/** A folder of the XDG base directories. */
export function xdgDir(environment: Environment, name: 'CONFIG' | 'CACHE' | 'STATE'): string {
  const fallback = { CONFIG: '.config', CACHE: '.cache', STATE: '.local/state' }[name];
  return absoluteIn(environment, `XDG_${name}_HOME`) ?? below(environment.home, fallback);
}

/** The folder for sockets and the like of this user's session, where there is one. */
export function sessionDir(environment: Environment): string | undefined {
  return absoluteIn(environment, 'XDG_RUNTIME_DIR');
}

/** The absolute path in a variable. A relative one is ignored, as the specification of the base directories demands. */
function absoluteIn(environment: Environment, name: string): string | undefined {
  const set = variable(environment, name);
  return set !== undefined && isAbsolute(set) ? resolve(set) : undefined;
}
