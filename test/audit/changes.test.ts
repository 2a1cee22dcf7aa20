import { expect, it } from 'vitest';
import type { AuditRow } from '../../src/run/audit/read.ts';
import { serveConsole } from '../support/console.ts';
import { createWorld, type World } from '../support/world.ts';

const skill = 'home/.claude/skills/mine';

async function rowsOf(world: World): Promise<readonly AuditRow[]> {
  return (await world.run(['audit', '--json'])).json<{ executions: AuditRow[] }>().executions;
}

it('has every change that is made in the console, with who, when and what', async () => {
  const world = createWorld();
  world.skill(skill);
  world.skill('team/tidy');
  world.write('home/.codex/config.toml', '');
  const served = await serveConsole(world);
  const source = world.path('team');
  const { digest } = await served.told<{ digest: string }>('/api/draft?name=mine');
  const acts: [string, object][] = [
    ['edit', { name: 'mine', path: 'SKILL.md', content: '---\nname: mine\ndescription: New.\n---\n', digest }],
    ['new', { what: 'skill', name: 'fresh', dir: world.path('home/.claude/skills') }],
    ['disable', { skills: ['mine'], agent: ['codex'] }],
    ['enable', { skills: ['mine'], agent: ['codex'] }],
    ['setup', { agents: ['codex'] }],
    ['add', { source, global: true }],
    ['update', { names: ['tidy'], global: true }],
    ['remove', { names: ['tidy'], global: true }],
  ];
  for (const [name, body] of acts)
    expect([name, (await served.post(`/api/${name}`, body)).status]).toEqual([name, 200]);

  const rows = await rowsOf(world);
  expect(rows.map(({ operation, skill: about, result }) => [operation, about, result])).toEqual([
    ['edit', 'mine', 'changed'],
    ['new', 'fresh', 'changed'],
    ['disable', 'mine', 'changed'],
    ['enable', 'mine', 'changed'],
    ['setup', '', 'changed'],
    ['add', '', 'changed'],
    ['update', 'tidy', 'changed'],
    ['remove', 'tidy', 'changed'],
  ]);
  expect(rows.every(({ event, by, user }) => event === 'change' && by === 'console' && user !== '')).toBe(true);
  expect(rows.map(({ parameters }) => parameters)).toMatchObject([
    { path: 'SKILL.md' },
    {},
    { agent: ['codex'] },
    {},
    { agents: ['codex'], remove: false },
    { source },
    {},
    {},
  ]);
  expect((await world.run(['audit', 'verify'])).code).toBe(0);
  expect((await world.run(['audit', '--result', 'changed'])).stdout).toMatch(/changed .* edit mine .*console/);
});

it('says of a change that failed that nothing was changed, and nothing of what only looks', async () => {
  const world = createWorld();
  world.skill(skill);
  world.skill('team/tidy');
  world.write('home/.codex/config.toml', '');
  const served = await serveConsole(world);
  const stale = { name: 'mine', path: 'SKILL.md', content: 'x', digest: `sha256:${'0'.repeat(64)}` };
  expect((await served.post('/api/edit', stale)).status).toBe(409);
  await served.post('/api/setup', { agents: ['codex'], dryRun: true });
  await served.post('/api/add', { source: world.path('team'), global: true, dryRun: true });
  expect(await rowsOf(world)).toMatchObject([{ operation: 'edit', skill: 'mine', result: 'not_changed' }]);
  expect((await world.run(['audit', 'verify'])).code).toBe(0);
});

it('keeps passwords in addresses out', async () => {
  const world = createWorld();
  const served = await serveConsole(world);
  await served.post('/api/add', { source: 'https://ada:hunter2@127.0.0.1:9/skills.tgz', global: true });
  const rows = await rowsOf(world);
  expect(rows).toMatchObject([{ operation: 'add', result: 'not_changed' }]);
  expect(JSON.stringify(rows)).not.toContain('hunter2');
});

it('lets nothing be changed that cannot be written down', async () => {
  const world = createWorld();
  world.skill(skill);
  world.write('home/.local/state/repertoire/audit', 'a file where the folder should be');
  const served = await serveConsole(world);
  expect((await served.post('/api/disable', { skills: ['mine'] })).status).toBeGreaterThanOrEqual(400);
  expect((await world.run(['list'])).stdout).toContain('mine');
});
