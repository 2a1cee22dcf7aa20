import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { configurationOf } from '../../core/config/values.ts';
import { hostEnvironment } from '../../core/environment.ts';
import type { Progress } from '../../core/progress.ts';
import { Registry } from '../../registry/registry.ts';
import { createIndexManager } from './index-manager.ts';
import { batchSize } from './threads.ts';

const skills = 2 * batchSize + 40;

/** A registry that has not scanned yet, over many skills, and an index manager that has no index. */
function fresh() {
  const home = mkdtempSync(join(tmpdir(), 'repertoire-early-'));
  const folder = join(home, 'skills');
  for (let at = 0; at < skills; at++) {
    mkdirSync(join(folder, `skill-${at}`), { recursive: true });
    const text = `---\nname: skill-${at}\ndescription: About number ${at}.\n---\n\nText ${at}.\n`;
    writeFileSync(join(folder, `skill-${at}`, 'SKILL.md'), text);
  }
  const environment = hostEnvironment({ home, cwd: home, env: {} });
  const options = configurationOf({ skillDirs: [folder], scanDefaultDirs: false, skipPlugins: true }).values;
  const registry = new Registry(options, { include: [], exclude: [], onDuplicate: 'first' }, environment);
  const indexManager = createIndexManager({ environment }, { kind: 'local' });
  onTestFinished(() => {
    indexManager.close();
    rmSync(home, { recursive: true, force: true });
  });
  return { registry, indexManager };
}

it('skills are indexed while others are still looked for, and none is left out or added twice', async () => {
  const { registry, indexManager } = fresh();
  indexManager.begin(registry);
  indexManager.begin(registry); // two searches wait for the same scan
  const snapshot = await registry.snapshot();
  const reported: Progress[] = [];
  const { ready, collection } = await indexManager.follow(snapshot, Number.POSITIVE_INFINITY, (one) =>
    reported.push(one),
  );
  expect([ready, collection.documents, indexManager.added(), indexManager.notes()]).toEqual([
    skills,
    skills,
    skills,
    [],
  ]);
  // The rest that was left when all were known is less than a batch.
  expect(reported.at(-1)).toMatchObject({ done: skills - 2 * batchSize, total: skills - 2 * batchSize });
});

it('a scan goes on after the index manager was closed', async () => {
  const { registry, indexManager } = fresh();
  await registry.snapshot();
  indexManager.begin(registry);
  indexManager.close();
  await expect(registry.refresh()).resolves.toBeDefined();
  expect(indexManager.added()).toBe(0);
});
