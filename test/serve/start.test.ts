import { expect, it } from 'vitest';
import { modernMeta, type StdioServer, startHttp, startStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { askModern, openSession } from './http.ts';
import { slowSkills } from './slow.ts';

/** The scan has begun and has not ended: not now, and not for a while yet. */
async function expectScanning(server: StdioServer): Promise<void> {
  await server.logged(/looking for skills/);
  expect(server.stderr).not.toContain('ready:');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(server.stderr).not.toContain('ready:');
}

it('the handshake is answered while a scan of many seconds goes on, over stdio, in both eras [C2-START-01 C5-PROMISE-04 S4-LIFE-02 S4-CONC-01]', async () => {
  const world = createWorld();
  slowSkills(world, 600);
  const older = startStdio(world, ['serve', '--log-level', 'debug']);
  await older.logged(/looking for skills/);
  expect(await older.initialize()).toMatchObject({ protocolVersion: '2025-11-25' });
  expect(older.stderr).not.toContain('ready:');
  // A slow request does not hold up the quick ones behind it.
  older.send({ id: 'slow', method: 'tools/list' });
  for (let at = 0; at < 3; at++) expect(await older.request('ping')).toEqual({});
  expect(older.messages.some(({ id }) => id === 'slow')).toBe(false);
  await expectScanning(older);
  older.child.kill('SIGKILL');

  const newer = startStdio(world, ['serve', '--log-level', 'debug']);
  const discovered = await newer.request('server/discover', modernMeta);
  expect(discovered['supportedVersions']).toEqual(['2026-07-28']);
  await expectScanning(newer);
});

it('the handshake is answered while a scan goes on over HTTP, where clients do not wait for one another [C2-START-01 S4-CONC-01]', async () => {
  const world = createWorld();
  slowSkills(world, 600);
  const { url, process } = await startHttp(world, ['serve', '--http', '--log-level', 'debug']);
  const sessions = await Promise.all([openSession(url), openSession(url, '2024-11-05')]);
  expect((await askModern(url, 'server/discover')).status).toBe(200);
  const slow = sessions[0]?.ask('tools/list').catch(() => {});
  for (const session of sessions) expect(await session.request('ping')).toEqual({});
  await expectScanning(process);
  process.child.kill('SIGKILL');
  await slow;
});

it('`tools/list` waits a limited time for the scan; a notification follows when the rest is known', async () => {
  const world = createWorld();
  const slow = slowSkills(world, 900);
  world.skill('home/.claude/skills/kept');
  const server = startStdio(world, ['mcp']);
  await server.initialize();
  const asked = Date.now();
  const [tool] = await server.tools();
  expect(Date.now() - asked).toBeGreaterThan(4_000);
  expect(server.stderr).not.toContain('ready:');
  expect(tool?.description).not.toContain('kept');
  expect(tool?.description).toContain('The skills are still being read, and may be used already.');
  expect(tool?.description).not.toMatch(/\bnone\b/);
  const told = server.next(({ method }) => method === 'notifications/tools/list_changed');
  slow.remove();
  await told;
  expect((await server.tools())[0]?.description).toContain('kept');
});

it('the skills are read on start, without a request, and the log says so on stderr [S1-INIT-03 S1-INIT-06 S1-INIT-07 C2-STDIO-02]', async () => {
  const world = createWorld();
  world.skill('project/skills/one');
  world.skill('home/.claude/skills/two');
  world.write('project/skills/broken/SKILL.md', '---\nname: [\n---\n');
  const server = startStdio(world, ['mcp', '--log-level', 'debug']);
  await server.logged(/debug looking for skills\n.*info +ready: 2 skills ms=\d+ read=\d+\n/s);
  await server.logged(/warn +skipped: .*broken\/SKILL\.md/);
  expect(server.stdout).toBe('');
  await server.initialize();
  const listed = (await server.tools())[0]?.description ?? '';
  expect([...listed.matchAll(/<name>(.*)<\/name>/g)].map(([, name]) => name)).toEqual(['two', 'one']);
});
