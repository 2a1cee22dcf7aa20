import { availableParallelism } from 'node:os';
import { statOf } from '../../core/disk/files.ts';
import { packageFile } from '../../core/disk/package-file.ts';
import type { Environment } from '../../core/environment.ts';
import { createThreadPool, startThread, type ThreadPool } from '../../core/thread-pool.ts';
import type { Scan } from '../../discovery/scan.ts';
import type { Registry } from '../../registry/registry.ts';
import type { EmbedderChoice } from '../../search/embedders/embedder.ts';
import { keyBytes, writeKey } from '../../search/index/key.ts';
import type { Skill } from '../../skill/types.ts';
import { type DocumentMap, keyTextOf } from './document-map.ts';
import {
  type Builder,
  type Built,
  createBuilder,
  type Merged,
  type MergeJob,
  mergeAndKeep,
  type Wanted,
} from './indexing.ts';
import { sourceOf, toolMarkOf } from './source.ts';

/** The task that a thread is started for. */
export type ThreadTask =
  | { readonly kind: 'build'; readonly embedder: EmbedderChoice | null; readonly environment: Environment }
  | { readonly kind: 'merge' };

/** Work on threads. It does not keep the process alive. */
export interface ThreadWork<T> {
  /** Rejects if a thread fails or is ended. */
  readonly done: Promise<T>;
  end(): void;
}

const program = 'dist/cli/indexer.cjs';
const mostThreads = 4;

/** Batches to be built, all of them at hand or still on their way. */
export type Batches = Iterator<readonly Wanted[]> | AsyncIterator<readonly Wanted[]>;

/** Builds batches on as many threads as are of use, and reports each as it is ready. */
export function buildOnThreads(
  batches: Batches,
  embedder: EmbedderChoice | null,
  environment: Environment,
  onBuilt: (built: Built) => void,
): ThreadWork<void> {
  const file = packageFile(program);
  if (file === undefined) return { done: buildAll(batches, createBuilder(embedder, environment), onBuilt), end() {} };
  // One thread alone asks a service: several would ask it for more at a time than it is meant to get.
  const count = embedder?.kind === 'http' ? 1 : Math.min(availableParallelism(), mostThreads);
  const { run, end } = indexers<readonly Wanted[], Built>(file, count, { kind: 'build', embedder, environment });
  const shifts = Array.from({ length: count }, () => buildAll(batches, run, onBuilt));
  return {
    done: Promise.all(shifts)
      .then(() => undefined)
      .finally(end),
    end,
  };
}

/** Merges segments on a thread, and saves the result. */
export function mergeOnThread(job: MergeJob): ThreadWork<Merged> {
  const file = packageFile(program);
  if (file === undefined) return { done: mergeAndKeep(job), end() {} };
  const { run, end } = indexers<MergeJob, Merged>(file, 1, { kind: 'merge' });
  return { done: run(job).finally(end), end };
}

function indexers<Call, Value>(file: string, threads: number, task: ThreadTask): ThreadPool<Call, Value> {
  return createThreadPool({ start: () => startThread(file, task), threads, keepsAlive: false });
}

/**
 * Builds one batch after another: on a thread or, where they are few, or where there is no program for one, as in a
 * library that was bundled into something else, on this one.
 */
export async function buildAll(batches: Batches, build: Builder, onBuilt: (built: Built) => void): Promise<void> {
  for (let next = await batches.next(); !next.done; next = await batches.next()) onBuilt(await build(next.value));
}

/** Limits up to which skills are read on the way to an answer. More are left to threads of their own. */
export const few = { skills: 32, bytes: 256 * 1024 } as const;
/** Number of skills that are given to a thread at a time. */
export const batchSize = 256;

/** Tells whether the missing skills can be read on the way to an answer. */
export function areFew({ indexed, missing }: DocumentMap): boolean {
  if (missing.length > few.skills) return false;
  let bytes = 0;
  for (const at of missing) {
    const stats = statOf((indexed[at] as Skill).file);
    bytes += stats.ok ? stats.value.size : 0;
  }
  return bytes <= few.bytes;
}

/** The missing skills, in batches for a thread. */
export function* batchesOf({ snapshot, indexed, keys, missing }: DocumentMap): Generator<readonly Wanted[], undefined> {
  for (let from = 0; from < missing.length; from += batchSize) {
    yield missing.slice(from, from + batchSize).map((at) => ({
      key: Uint8Array.prototype.slice.call(keys, at * keyBytes, (at + 1) * keyBytes),
      source: sourceOf(indexed[at] as Skill),
      toolMark: toolMarkOf(indexed[at] as Skill, snapshot.scan.folders),
    }));
  }
}

/** Skills that a scan finds while it is under way, in full batches; the rest is indexed once the scan has ended. */
export interface EarlyBatches extends AsyncIterator<readonly Wanted[]> {
  /** Number of skills in the batches so far. */
  readonly size: number;
  /** Ends the batches: no more is to come. */
  end(): void;
}

type Next = IteratorResult<readonly Wanted[]>;

export function earlyBatches(registry: Pick<Registry, 'observe'>): EarlyBatches {
  const full: (readonly Wanted[])[] = [];
  const waiting: ((next: Next) => void)[] = [];
  const known = new Set<string>();
  let batch: Wanted[] = [];
  let size = 0;
  let isOver = false;

  function found(skill: Skill, folders: Scan['folders']): void {
    const key = Buffer.alloc(keyBytes);
    writeKey(key, 0, skill.digest, keyTextOf(skill, folders));
    const name = key.toString('latin1');
    if (known.has(name)) return; // one text is indexed once
    known.add(name);
    batch.push({ key, source: sourceOf(skill), toolMark: toolMarkOf(skill, folders) });
    if (batch.length < batchSize) return;
    size += batchSize;
    const waiter = waiting.shift();
    if (waiter === undefined) full.push(batch);
    else waiter({ done: false, value: batch });
    batch = [];
  }

  function end(): void {
    stop();
    isOver = true;
    for (const waiter of waiting) waiter({ done: true, value: undefined });
  }

  const stop = registry.observe({ began() {}, found, ended: end, failed: end });
  return {
    get size() {
      return size;
    },
    end,
    async next(): Promise<Next> {
      const value = full.shift();
      if (value !== undefined) return { done: false, value };
      return isOver ? { done: true, value: undefined } : new Promise((resolve) => waiting.push(resolve));
    },
  };
}
