import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { pluginVariables } from '../agents/providers.ts';
import { commonSettings, type SettingName } from '../core/config/settings.ts';
import { readRegularFile } from '../core/files.ts';
import { makeFolder } from '../core/make-folder.ts';
import { below, xdgDir } from '../core/paths.ts';
import { version } from '../core/version.ts';
import { type Places, placesOf, since } from '../discovery/places.ts';
import { cacheVariable } from '../discovery/roots.ts';
import type { Scan } from '../discovery/scan.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Engine } from './engine.ts';

/**
 * What servers said last and what it was made of, kept so that the next start can speak before it has looked at ten
 * thousand files. It is believed only while the folders that hold skills look as they did; the scan that follows
 * corrects the rest. The texts serve a start that is the same in all; the scan serves every other start on the same
 * roots, whatever its tools, filters and budget.
 */
export interface StartupCache<T> {
  /** The texts of a start with all the same settings. */
  texts(): Cached<T> | undefined;
  /** The scan that any start on these roots made last. */
  scan(): Cached<Scan> | undefined;
  /** Keeps what is said now. Failing to do so costs the next start some time, and nothing else. */
  write(snapshot: Snapshot, texts: T): void;
}

export interface Cached<T> {
  readonly value: T;
  /** Whether a text was edited since: what is said of that skill may have changed, and all others stay. */
  readonly isEdited: boolean;
}

interface Kept {
  readonly key: string;
  readonly places: Places;
  readonly value: unknown;
}

const byteLimit = 64 * 1024 * 1024;
const fileLimit = 64;

/** What is shown of a scan. All other settings by which skills are seen or not say which folders are searched. */
const viewSettings: readonly SettingName[] = ['include', 'exclude', 'onDuplicate'];
const rootSettings = commonSettings.filter((name) => !viewSettings.includes(name));
/** Variables that move the files by which plugins come and go. */
const movers = [...pluginVariables, 'XDG_CONFIG_HOME', cacheVariable];

/** The shape is whatever decides what the texts say, apart from the settings by which skills are seen or not. */
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
      return undefined; // half a file, or not ours: the scan will tell
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

/** A scan as JSON. The folders that were entered are many, and no text is made of them. */
type Packed = Omit<Scan, 'aliases' | 'folders'> & { readonly aliases: readonly [string, readonly string[]][] };

function packed({ folders: _folders, aliases, ...scan }: Scan): Packed {
  return { ...scan, aliases: [...aliases] };
}

function unpacked({ aliases, ...scan }: Packed): Scan {
  return { ...scan, aliases: new Map(aliases), folders: new Map() };
}

/** Where nothing can be written, there may be nothing that can be looked for either. */
function discard(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // A cache folder that is closed to us, or is no folder.
  }
}

/** A name for a file, not a proof: what it holds is compared with the key. */
function shortHash(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}

/** Keeps the newest: every folder that a server was ever started in has its own. */
function prune(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= fileLimit) return;
  const aged = names.map((name) => ({ path: below(folder, name), age: statSync(below(folder, name)).mtimeMs }));
  for (const { path } of aged.sort((a, b) => b.age - a.age).slice(fileLimit / 2)) rmSync(path, { force: true });
}
