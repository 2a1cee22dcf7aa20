import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { scanFolder } from '../../src/get/scan/scan.ts';
import type { ScanReport } from '../../src/get/scan/types.ts';
import { createWorld, type World } from '../support/world.ts';
import { labelled } from './labelled.ts';

const dying = { NODE_OPTIONS: `--require ${fileURLToPath(new URL('./dying-thread.cjs', import.meta.url))}` };

interface Scanned {
  skills: { name: string; folder: string; report: ScanReport | null; problem: string | null }[];
}

/** Skills of which the third is deadly to the thread that scans it. */
function withDeadly(world: World): void {
  for (const name of ['one', 'two', 'three', 'four', 'five']) world.skill(`source/${name}`);
  world.write('source/three/deadly.md', 'Text.\n');
}

it('finds the same on threads as on one, in the same order', async () => {
  const world = createWorld();
  for (const [at, { files }] of labelled({ malicious: 1, harmless: 1 }).entries()) {
    world.skill(`source/skill-${at}`);
    for (const [path, text] of Object.entries(files)) world.write(`source/skill-${at}/${path}`, text);
  }
  const run = await world.run(['scan', world.path('source'), '--json', '--fail-on', 'never']);
  const { skills } = run.json<Scanned>();
  expect(skills.length).toBeGreaterThan(50);
  expect(skills.filter(({ report }) => report?.verdict === 'blocked').length).toBeGreaterThan(20);
  for (const { folder, report } of skills) expect(report).toEqual(await scanFolder(folder, { home: world.home }));
  expect((await world.run(['scan', world.path('source'), '--json', '--fail-on', 'never'])).stdout).toBe(run.stdout);
});

it('says of which skill a thread died, scans the others, and fails', async () => {
  const world = createWorld();
  withDeadly(world);
  const run = await world.run(['scan', world.path('source'), '--json'], { env: dying });
  const { skills } = run.json<Scanned>();
  expect(skills.map(({ name, report, problem }) => [name, report?.verdict ?? problem])).toEqual([
    ['five', 'clean'],
    ['four', 'clean'],
    ['one', 'clean'],
    ['three', 'it could not be scanned: the thread that scans it died (no memory left)'],
    ['two', 'clean'],
  ]);
  expect(run.code).toBe(1);
});

it('lets nothing in that a thread died of', async () => {
  const world = createWorld();
  withDeadly(world);
  const run = await world.run(['add', world.path('source'), '--yes', '--json'], { env: dying });
  const { skills, refused } = run.json<{ skills: { name: string }[]; refused: { name: string; reason: string }[] }>();
  expect(refused).toEqual([
    { name: 'three', reason: 'it could not be scanned: the thread that scans it died (no memory left)' },
  ]);
  expect(skills.map(({ name }) => name)).toEqual(['five', 'four', 'one', 'two']);
  expect(existsSync(world.path('project/.agents/skills/two/SKILL.md'))).toBe(true);
  expect(existsSync(world.path('project/.agents/skills/three'))).toBe(false);
});
