import { sep } from 'node:path';
import type { Reading } from '../../agents/types.ts';
import { addTo, getOrInsert, memoized } from '../../core/maps.ts';
import type { Root } from '../roots.ts';
import type { Scan } from '../scan.ts';
import type { NativeAgent } from './types.ts';

/** A root above some folder, and the names that lead from one to the other. */
interface Reach {
  readonly root: Root;
  readonly trail: readonly string[];
}

/** Finds the roots by which a folder can be reached: the one it was found in, and those that links lead through. */
export interface RootMap {
  /** Takes the path by which the folder was found and its real path, where that is known. */
  reachesOf(dir: string, real: string | null): readonly Reach[];
}

/** The map of a scan, kept as long as it: every agent needs the same one. */
export const rootsAbove = memoized(({ roots, aliases }: Scan): RootMap => {
  const byPath = new Map<string, Root[]>();
  for (const { root } of roots) addTo(byPath, root.path, root);
  const known = new Map<string, readonly Reach[]>();
  return {
    reachesOf: (dir, real) =>
      getOrInsert(known, dir, () => {
        const paths = [dir, ...(real === null ? [] : linkedPaths(real, aliases))];
        return paths.flatMap((path) => reachesAlong(path, byPath));
      }),
  };
});

/** Further paths to a folder: by a link to it, or to a folder around it. */
function linkedPaths(real: string, aliases: Scan['aliases']): string[] {
  if (aliases.size === 0) return [];
  return upwards(real).flatMap((folder) => (aliases.get(folder) ?? []).map((path) => path + real.slice(folder.length)));
}

function reachesAlong(path: string, byPath: ReadonlyMap<string, readonly Root[]>): Reach[] {
  return upwards(path).flatMap((folder) => {
    const roots = byPath.get(folder);
    if (roots === undefined) return [];
    const trail = path.slice(folder.length).split(sep).filter(Boolean);
    return roots.map((root) => ({ root, trail }));
  });
}

/** The folder itself, and all folders around it. */
function upwards(path: string): string[] {
  const folders = [path];
  for (let end = path.lastIndexOf(sep); end > 0; end = path.lastIndexOf(sep, end - 1)) folders.push(path.slice(0, end));
  return folders;
}

/**
 * Returns a function that gives each root's rank for an agent, strongest first; -1 where the agent does not read it.
 */
export function ranksFor(agent: NativeAgent): (root: Root) => number {
  return memoized((root: Root) => rankOf(root, agent));
}

function rankOf(root: Root, { places }: NativeAgent): number {
  return places.findIndex((place) => isAt(root, place));
}

function isAt({ provider, location, path, plugin, isStart, isTop }: Root, place: Reading): boolean {
  if (provider !== place.provider || (plugin === null ? location : 'plugin') !== place.location) return false;
  if (place.location === 'plugin') return true;
  if (place.folders === 'start' && isStart === false) return false;
  if (place.folders === 'top' && isTop === false) return false;
  if (place.shown.startsWith('/etc/')) return path.endsWith(place.shown.slice('/etc'.length));
  // The shared folders have older spellings, and a plain `skills`, that hardly any agent reads.
  return provider !== 'agents' || path.endsWith(sep + place.shown.replace(/^~\/(?:\.config\/)?/, ''));
}
