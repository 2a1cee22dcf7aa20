import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

const skills = 'home/.claude/skills';

/** The skills that a new server names first, before it has had the time to look. */
async function namesAtStart(world: World): Promise<string[]> {
  const server = startStdio(world, ['mcp']);
  await server.initialize();
  const [tool] = await server.tools();
  await server.logged(/ready:/);
  await server.end();
  return [...(tool?.description ?? '').matchAll(/<name>(.*)<\/name>/g)].map(([, name]) => name ?? '').sort();
}

/** What is done between two starts, and what the second must name. */
const changes: readonly (readonly [what: string, change: (world: World) => void, names: readonly string[]])[] = [
  ['nothing', () => {}, ['kept', 'linked', 'other']],
  [
    'switched off',
    (world) => renameSync(world.path(`${skills}/other/SKILL.md`), world.path(`${skills}/other/.SKILL.md`)),
    ['kept', 'linked'],
  ],
  ['its file removed', (world) => rmSync(world.path(`${skills}/other/SKILL.md`)), ['kept', 'linked']],
  [
    'what a link leads to removed',
    (world) => rmSync(world.path('elsewhere/linked'), { recursive: true }),
    ['kept', 'other'],
  ],
  ['written into an empty folder', (world) => world.skill(`${skills}/empty`), ['empty', 'kept', 'linked', 'other']],
  ['written into a category', (world) => world.skill(`${skills}/empty/new`), ['kept', 'linked', 'new', 'other']],
  [
    'another plugin of a known marketplace',
    (world) => world.skill('home/.copilot/installed-plugins/shop/two/skills/new'),
    ['kept', 'linked', 'other', 'two:new'],
  ],
];

it.each(changes)('a start does not repeat an outdated listing text: %s', async (_, change, names) => {
  const world = createWorld();
  for (const name of ['kept', 'other']) world.skill(`${skills}/${name}`);
  world.skill('elsewhere/linked');
  symlinkSync(world.path('elsewhere/linked'), world.path(`${skills}/linked`));
  mkdirSync(world.path(`${skills}/empty`));
  mkdirSync(world.path('home/.copilot/installed-plugins/shop/one'), { recursive: true });
  await sleep(50); // what is younger is not kept
  expect(await namesAtStart(world)).toEqual(['kept', 'linked', 'other']);
  change(world);
  expect(await namesAtStart(world)).toEqual(names);
});

it('a cache folder that is not a folder keeps no call from being answered', async () => {
  const world = createWorld();
  world.skill(`${skills}/kept`);
  world.write('home/file', '');
  const server = startStdio(world, ['mcp'], { env: { XDG_CACHE_HOME: world.path('home/file') } });
  await server.initialize();
  await server.logged(/ready:/);
  await sleep(500); // by then it has tried to keep what it says
  const result = await server.request('tools/call', { name: 'skill', arguments: { name: 'kept' } });
  expect(JSON.stringify(result)).toContain('Loading: kept');
  expect(await server.end()).toBe(0);
  expect(server.stderr).not.toContain('unforeseen');
});
