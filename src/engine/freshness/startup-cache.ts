import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { pluginVariables } from '../../agents/providers.ts';
import { attempt } from '../../core/attempt.ts';
import { commonSettings, type SettingName } from '../../core/config/settings.ts';
import { readRegularFile } from '../../core/disk/files.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { below, xdgDir } from '../../core/disk/paths.ts';
import { version } from '../../core/version.ts';
import { type Places, placesOf, since } from '../../discovery/places.ts';
import { cacheVariable } from '../../discovery/roots.ts';
import type { Scan } from '../../discovery/scan.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Engine } from '../engine.ts';

/**
 * Cache of the listing text of the last start and of the scan it was made of, so that the next start can answer before
 * it has read ten thousand files. It is valid only while the folders that hold skills look as they did; the scan that
 * follows corrects the rest. The texts serve a start with exactly the same settings; the scan serves every other start
 * on the same roots, whatever its tools, filters and budget.
 */
export interface StartupCache<T> {
  /** The texts of the last start with exactly the same settings. */
  texts(): Cached<T> | undefined;
  /** The last scan by any start on these roots. */
  scan(): Cached<Scan> | undefined;
  /** Keeps the current texts and scan. A failure costs the next start some time, and nothing else. */
  write(snapshot: Snapshot, texts: T): void;
}

export interface Cached<T> {
  readonly value: T;
  /** Whether a SKILL.md was edited since: the entry of that skill may have changed, all others stay. */
  readonly isEdited: boolean;
}

interface Kept {
  readonly key: string;
  readonly places: Places;
  readonly value: unknown;
}

const byteLimit = 64 * 1024 * 1024;
const fileLimit = 64;

/** Settings that filter a scan. All others that decide on visible skills name the folders to search. */
const viewSettings: readonly SettingName[] = ['include', 'exclude', 'onDuplicate', 'disabled'];
const rootSettings = commonSettings.filter((name) => !viewSettings.includes(name));
/** Variables that move the files by which plugins come and go. */
const movers = [...pluginVariables, 'XDG_CONFIG_HOME', cacheVariable];

/** Creates the cache. The shape is whatever else decides on the texts, apart from the settings for visible skills. */
export function createStartupCache<T>({ environment, configuration }: Engine, shape: unknown): StartupCache<T> {
  const { values } = configuration;
  const { cwd, home, env } = environment;
  const roots = JSON.stringify([
    version(),
    cwd,
    home,
    movers.map((name) => env[name]),
    rootSettings.map((name) => values[name]),
  ]);
  const view = viewSettings.map((name) => values[name]);
  const keys = { texts: JSON.stringify([roots, view, shape]), scan: roots };
  const folder = below(xdgDir(environment, 'CACHE'), 'repertoire/said');
  const fileOf = (key: string): string => below(folder, `${shortHash(key)}.json`);

  function read(key: string): Cached<unknown> | undefined {
    const file = readRegularFile(fileOf(key), byteLimit);
    if (!file.ok || file.value.stats.uid !== process.getuid?.() || (file.value.stats.mode & 0o022) !== 0) {
      return undefined;
    }
    try {
      const kept = JSON.parse(file.value.bytes.toString('utf8')) as Kept;
      const happened = kept.key === key ? since(kept.places, values, environment) : 'moved';
      return happened === 'moved' ? undefined : { value: kept.value, isEdited: happened === 'edited' };
    } catch {
      return undefined; // half a file, or not ours: the scan will find out
    }
  }

  function write(key: string, places: Places, value: unknown): void {
    const draft = `${fileOf(key)}.${process.pid}`;
    try {
      makeFolder(folder);
      writeFileSync(draft, JSON.stringify({ key, places, value } satisfies Kept), { mode: 0o600 });
      renameSync(draft, fileOf(key));
      prune(folder);
    } catch {
      discard(draft);
    }
  }

  return {
    texts: () => read(keys.texts) as Cached<T> | undefined,
    scan() {
      const kept = read(keys.scan);
      return kept && { ...kept, value: unpacked(kept.value as Packed) };
    },
    write(snapshot, texts) {
      const places = placesOf(snapshot.scan, values, environment);
      if (places === null) return;
      write(keys.texts, places, texts);
      write(keys.scan, places, packed(snapshot.scan));
    },
  };
}

/** A scan as JSON, without the folders that were entered: they are many, and no text is made of them. */
type Packed = Omit<Scan, 'aliases' | 'folders'> & { readonly aliases: readonly [string, readonly string[]][] };

function packed({ folders: _folders, aliases, ...scan }: Scan): Packed {
  return { ...scan, aliases: [...aliases] };
}

function unpacked({ aliases, ...scan }: Packed): Scan {
  return { ...scan, aliases: new Map(aliases), folders: new Map() };
}

/** Removes a draft if it can: where nothing can be written, perhaps nothing can be removed either. */
function discard(draft: string): void {
  attempt(() => rmSync(draft, { force: true }), undefined);
}

/** A short hash that names a file and proves nothing: the key inside the file is compared as well. */
function shortHash(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}

/** Keeps the newest files: every folder that a server was ever started in has its own. */
function prune(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= fileLimit) return;
  const aged = names.map((name) => ({ path: below(folder, name), age: statSync(below(folder, name)).mtimeMs }));
  for (const { path } of aged.sort((a, b) => b.age - a.age).slice(fileLimit / 2)) rmSync(path, { force: true });
}
