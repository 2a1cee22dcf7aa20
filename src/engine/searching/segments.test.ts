import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Snapshot } from '../../registry/snapshot.ts';
import { buildSegment } from '../../search/index/build.ts';
import { createLexicon } from '../../search/text/lexicon.ts';
import { createSaver, createSegmentStore } from './segments.ts';

it('a segment that is added while the others are being saved is saved the next time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-saving-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const empty = buildSegment([], createLexicon(), 0);
  const segmentStore = createSegmentStore(() => []);
  segmentStore.add(empty);
  let saves = 0;
  const saver = createSaver({
    segmentStore,
    files: {
      targetFor: () => ({ file: join(folder, 'one.index'), maker: 'a test' }),
      open: async () => ({}),
      isEmpty: () => true,
      prune() {},
    },
    notes: { tell() {}, all: () => [] },
    async onThreads(work) {
      const merged = await work.done;
      if (saves++ === 0) {
        segmentStore.add(empty);
        saver.isDue = true;
      }
      return merged;
    },
  });
  saver.isDue = true;
  const snapshot = { visible: [], scan: { skills: [], folders: new Map() } } as unknown as Snapshot;
  await saver.save(snapshot);
  expect([saves, saver.isDue, segmentStore.segments.length]).toEqual([1, true, 2]);
  await saver.save(snapshot);
  await saver.save(snapshot);
  expect([saves, saver.isDue, segmentStore.segments.length]).toEqual([2, false, 1]);
});
