import type { Scan } from '../../discovery/scan.ts';
import type { Registry } from '../../registry/registry.ts';
import { keyBytes, writeKey } from '../../search/index/key.ts';
import type { Skill } from '../../skill/types.ts';
import { batchSize } from './batches.ts';
import type { Wanted } from './building.ts';
import { keyTextOf } from './document-map.ts';
import { sourceOf } from './source.ts';
import { toolMarkOf } from './tool-marks.ts';

/** Skills that a scan finds while it is under way, in full batches; the rest is left to whoever knows all. */
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
