import { expect, it } from 'vitest';
import { scanFolder } from '../../src/get/scan/scan.ts';
import { createWorld } from '../support/world.ts';
import { labelled } from './labelled.ts';

it('tells malicious constructions from harmless ones as often as the documents say', async () => {
  const world = createWorld();
  const wrong: string[] = [];
  const counts = { malicious: 0, harmless: 0, caught: 0, blocked: 0 };
  for (const [at, { family, isMalicious, files }] of labelled({ malicious: 6, harmless: 6 }).entries()) {
    const folder = `labelled/skill-${at}`;
    world.skill(folder, { description: 'Helps with the work at hand.' });
    for (const [path, text] of Object.entries(files)) world.write(`${folder}/${path}`, text);
    const { verdict } = await scanFolder(world.path(folder));
    counts[isMalicious ? 'malicious' : 'harmless']++;
    if (verdict === 'blocked') counts[isMalicious ? 'caught' : 'blocked']++;
    if ((verdict === 'blocked') !== isMalicious)
      wrong.push(`${isMalicious ? 'missed' : 'blocked'}: ${family}\n${JSON.stringify(files)}`);
  }
  expect(counts.malicious).toBeGreaterThanOrEqual(150);
  expect(counts.harmless).toBeGreaterThanOrEqual(300);
  expect(counts.caught / counts.malicious, wrong.join('\n')).toBeGreaterThanOrEqual(0.95);
  expect(counts.caught / (counts.caught + counts.blocked), wrong.join('\n')).toBeGreaterThanOrEqual(0.98);
});
