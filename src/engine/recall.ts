import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { areUnchanged, type Places, placesOf } from '../discovery/places.ts';
import { readRegularFile } from '../kernel/files.ts';
import { makeFolder } from '../kernel/make-folder.ts';
import { below, xdgDir } from '../kernel/paths.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Engine } from './engine.ts';

/**
 * What a server said last, kept so that the next start can say it again before it has looked at ten thousand files.
 * It is believed only while the folders that hold skills look as they did; the scan that follows corrects the rest.
 */
export interface Recall<T> {
  /** What was said, if it still holds. */
  read(): T | undefined;
  /** Keeps what is said now. Failing to do so costs the next start some time, and nothing else. */
  write(snapshot: Snapshot, said: T): void;
}

interface Kept<T> {
  readonly key: string;
  readonly places: Places;
  readonly said: T;
}

const byteLimit = 4 * 1024 * 1024;
const fileLimit = 64;

/** Everything in the key must be equal for the past to be of use: the settings, the folder, the version. */
export function createRecall<T>(engine: Engine, key: string): Recall<T> {
  const { environment, configuration } = engine;
  const folder = below(xdgDir(environment, 'CACHE'), 'repertoire/said');
  const file = below(folder, `${shortHash(key)}.json`);
  return {
    read() {
      const read = readRegularFile(file, byteLimit);
      if (!read.ok || read.value.stats.uid !== process.getuid?.() || (read.value.stats.mode & 0o022) !== 0) {
        return undefined;
      }
      try {
        const kept = JSON.parse(read.value.bytes.toString('utf8')) as Kept<T>;
        const holds = kept.key === key && areUnchanged(kept.places, configuration.values, environment);
        return holds ? kept.said : undefined;
      } catch {
        return undefined; // half a file, or not ours: the scan will tell
      }
    },
    write(snapshot, said) {
      const places = placesOf(snapshot.scan, configuration.values, environment);
      if (places === null) return;
      const draft = `${file}.${process.pid}`;
      try {
        makeFolder(folder);
        writeFileSync(draft, JSON.stringify({ key, places, said } satisfies Kept<T>), { mode: 0o600 });
        renameSync(draft, file);
        prune(folder);
      } catch {
        discard(draft);
      }
    },
  };
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
