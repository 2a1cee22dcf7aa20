import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { below, xdgDir } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { sha256 } from '../../core/hash.ts';
import type { Scan } from '../../discovery/scan.ts';
import { readIndexFile } from '../../search/index/file.ts';
import type { Segment } from '../../search/index/segment.ts';

const ending = '.index';
const draftEnding = '.tmp';
const mostFiles = 16;
const mostDonors = 3;
/** Age from which a draft was left by a process that is gone. */
const draftMs = 60 * 60 * 1000;
const dayMs = 24 * draftMs;

/** The index files of this user. */
export interface IndexFiles {
  /** The path and the maker of the index for everything that is found in the same folders. */
  targetFor(scan: Scan): { readonly file: string; readonly maker: string };
  /**
   * Opens the index of a scan; where there is none, the newest other one may know many of the same skills. A damaged
   * one is reported.
   */
  open(scan: Scan): Promise<{ readonly segment?: Segment; readonly damage?: string }>;
  /** Tells whether there is no index at all. */
  isEmpty(): boolean;
  /** Removes the indexes that have not been used for longest, and drafts that a killed process left. */
  prune(): void;
}

export function indexFiles(environment: Environment, maker: string): IndexFiles {
  const folder = below(xdgDir(environment, 'CACHE'), 'repertoire/index');
  const fileFor = ({ roots }: Scan) => {
    const found = roots.filter(({ status }) => status === 'found').map(({ root }) => root.path);
    return below(folder, `${sha256([maker, ...found.sort()].join('\0')).slice(0, 32)}${ending}`);
  };
  return {
    targetFor: (scan) => ({ file: fileFor(scan), maker }),
    async open(scan) {
      const file = fileFor(scan);
      const own = await readIndexFile(file, maker);
      if (own.kind === 'read') {
        attempt(() => keepAlive(file));
        return { segment: own.segment };
      }
      const damage = own.kind === 'damaged' ? { damage: own.reason } : {};
      for (const { path } of aged(folder, ending).slice(0, mostDonors)) {
        const other = path === file ? own : await readIndexFile(path, maker);
        if (other.kind === 'read') return { segment: other.segment, ...damage };
      }
      return damage;
    },
    isEmpty: () => aged(folder, ending).length === 0,
    prune() {
      const now = Date.now();
      const old = aged(folder, ending).slice(mostFiles);
      const left = aged(folder, draftEnding).filter(({ time }) => now - time > draftMs);
      for (const { path } of [...old, ...left]) attempt(() => rmSync(path, { force: true }));
    },
  };
}

/** The files of a folder with this ending, newest first. */
function aged(folder: string, kind: string): { path: string; time: number }[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(kind))
      .map((name) => below(folder, name))
      .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => b.time - a.time);
  } catch {
    return []; // no folder yet
  }
}

/** Marks a file as used, if it has not been for a day: the oldest are removed first. */
function keepAlive(file: string): void {
  const now = new Date();
  if (now.getTime() - statSync(file).mtimeMs > dayMs) utimesSync(file, now, now);
}

/** Runs an action, ignoring failure: tidying up is no reason to fail. The file may be somebody else's, or gone. */
function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // See above.
  }
}
