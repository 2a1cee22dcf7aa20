import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { connectStdio, startHttp, startStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { ask, askModern, listenTo, openSession } from './http.ts';

const token = 'tok-0a1b2c3d4e5f60718293';
const bearer = { authorization: `Bearer ${token}` };

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

it('--log-level chooses how much is written', async () => {
  const world = createWorld();
  world.skill('project/skills/pdf');
  world.write('project/skills/broken/SKILL.md', '---\nname: [\n---\n');
  const shown: Record<string, readonly string[]> = {
    silent: [],
    error: [],
    warn: ['warn'],
    info: ['info', 'warn'],
    debug: ['debug', 'info', 'warn'],
  };
  for (const [level, expected] of Object.entries(shown)) {
    const server = await connectStdio(world, ['serve', '--log-level', level]);
    await server.load('pdf');
    expect(await server.end()).toBe(0);
    const levels = linesOf(server.stderr).map((line) => /^\S+Z (\w+) +\S/.exec(line)?.[1]);
    expect(new Set(levels), level).toEqual(new Set(expected));
  }
  const server = await connectStdio(world, ['serve'], { env: { REPERTOIRE_LOG_LEVEL: 'silent' } });
  await server.end();
  expect(server.stderr).toBe('');
});

it('one line is written for a skill that was skipped, and one for a repaired one [C1-READ-09 C1-READ-21]', async () => {
  const world = createWorld();
  world.skill('project/skills/pdf');
  world.write('project/skills/broken/SKILL.md', '---\nname: [unclosed\ndescription: d\n---\n');
  world.write('project/skills/odd/SKILL.md', '---\nname: odd\ndescription: Use when: asked\n---\n');
  const server = await connectStdio(world, ['mcp']);
  await server.load('pdf');
  await server.end();
  const about = (folder: string): string[] => linesOf(server.stderr).filter((line) => line.includes(`/${folder}/`));
  expect(about('broken')).toEqual([expect.stringMatching(/ warn +skipped: .*no name can be read from it/)]);
  expect(about('odd')).toEqual([expect.stringMatching(/ warn +repaired: /)]);
  expect(about('pdf')).toEqual([]);
});

it('what keeps skills from being seen is in the log of a server: links that lead nowhere or out, a damaged list of plugins', async () => {
  const world = createWorld();
  world.skill('project/skills/pdf');
  world.write('project/elsewhere.md', '---\nname: out\ndescription: d\n---\n');
  world.link('project/elsewhere.md', 'project/skills/out/SKILL.md');
  world.link('project/nowhere.md', 'project/skills/gone/SKILL.md');
  world.write('home/.claude/plugins/installed_plugins.json', '{ nothing');
  const server = await connectStdio(world, ['mcp']);
  await server.load('pdf');
  await server.end();
  for (const file of ['skills/out/SKILL.md', 'skills/gone/SKILL.md', 'installed_plugins.json']) {
    const lines = linesOf(server.stderr).filter((line) => line.includes(file));
    expect(lines, file).toEqual([expect.stringMatching(/ warn +\S/)]);
  }
});

it('a folder full of broken skills does not fill the log', async () => {
  const world = createWorld();
  world.skill('project/skills/pdf');
  for (let index = 0; index < 80; index++) world.write(`project/skills/broken-${index}/SKILL.md`, 'no front matter\n');
  const server = await connectStdio(world, ['mcp']);
  await server.load('pdf');
  await server.end();
  const warnings = linesOf(server.stderr).filter((line) => line.includes(' warn '));
  expect(warnings).toHaveLength(51);
  expect(warnings.at(-1)).toContain('30 more such lines: repertoire doctor shows all');
});

it('an unknown log level or format is refused, with a list of the valid ones', async () => {
  const world = createWorld();
  const level = await world.run(['serve', '--log-level', 'loud']);
  expect([level.code, level.stdout]).toEqual([2, '']);
  expect(level.stderr).toMatch(/silent.*error.*warn.*info.*debug/);
  const format = await world.run(['serve', '--log-format', 'xml']);
  expect([format.code, format.stdout]).toEqual([2, '']);
  expect(format.stderr).toMatch(/text.*json/);
});

it('--log-format json writes one object a line, with a request id that the client knows too', async () => {
  const world = createWorld();
  world.skill('project/skills/pdf', { name: '"pdf\\nx"', description: 'Line one' });
  world.write('project/skills/broken/SKILL.md', '---\nname: [\n---\n');
  const { url, process } = await startHttp(world, ['serve', '--http', '--log-level', 'debug', '--log-format', 'json']);
  const session = await openSession(url.replace(/".*$/, ''));
  const answer = await session.ask('tools/call', { name: 'skill', arguments: { name: 'no such' } });
  const refused = await ask(url.replace(/".*$/, ''), { headers: { origin: 'https://evil.example' }, body: '{}' });
  process.child.kill('SIGTERM');
  expect(await process.exited).toBe(0);
  const logged = linesOf(process.stderr).map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const line of logged) {
    expect(line).toMatchObject({ time: expect.stringMatching(/^\d{4}-.*Z$/), message: expect.any(String) });
    expect(['error', 'warn', 'info', 'debug']).toContain(line['level']);
  }
  const ids = logged.map((line) => line['request']);
  expect(ids).toContain(answer.headers['x-request-id']);
  expect(logged.find((line) => line['request'] === refused.headers['x-request-id'])).toMatchObject({
    level: 'warn',
    status: 403,
    origin: 'https://evil.example',
  });
  expect(logged.at(-1)).toMatchObject({ level: 'info', message: 'shutting down: SIGTERM' });
});

it('what strangers send cannot forge a line of the log', async () => {
  const server = await connectStdio(createWorld(), ['serve', '--log-level', 'debug']);
  const forged = 'x\n2026-01-01T00:00:00.000Z info  ready: 999 skills\u001b[31m';
  await server.ask('tools/call', { name: forged, arguments: {} });
  await server.ask('tools/call', { name: 'skill', arguments: { name: forged } });
  await server.ask('resources/read', { uri: forged });
  await server.ask(forged);
  await server.end();
  expect(server.stderr).not.toMatch(/^\S+ info +ready: 999/m);
  expect(server.stderr).not.toContain('\u001b');
});

it('the token appears in no log, answer, help text or settings', async () => {
  const world = createWorld();
  world.skill('project/skills/pdf');
  const env = { REPERTOIRE_TOKEN: token };
  const seen: string[] = [];
  for (const args of [[], ['--auth-token', token]]) {
    const { url, process } = await startHttp(
      world,
      ['serve', '--transport', 'sse', '--log-level', 'debug', '--host', '0.0.0.0', ...args],
      args.length === 0 ? { env } : {},
    );
    const session = await openSession(url, '2025-11-25', bearer);
    const stream = await listenTo(url, { headers: bearer });
    await expect.poll(stream.text).toContain('sessionId=');
    const answers = [
      await session.ask('tools/list'),
      await session.ask('no/such/method'),
      await askModern(url, 'server/discover', {}, bearer),
      await ask(url, { headers: { authorization: `Bearer ${token}x` }, body: '{}' }),
      await ask(url, { headers: { authorization: `Basic ${token}` }, body: '{}' }),
      await ask(`${url}?token=${token}`, { headers: { ...bearer, origin: 'https://evil.example' }, body: '{}' }),
      await ask(`${url}/nowhere?${token}`, { headers: bearer, body: '{' }),
      await ask(url, { headers: { ...bearer, 'mcp-session-id': 'none' }, body: '{}' }),
    ];
    process.child.kill('SIGTERM');
    await process.exited;
    const ids = [session.id, /sessionId=(\S+)/.exec(stream.text())?.[1] ?? ''];
    for (const id of ids) expect(process.stderr).not.toContain(id); // whoever reads a log cannot join a session
    seen.push(
      process.stderr,
      stream.text(),
      ...answers.flatMap(({ text, headers }) => [text, JSON.stringify(headers)]),
    );
  }
  for (const args of [
    ['help', 'serve'],
    ['serve', '--help'],
    ['config'],
    ['config', '--json'],
    ['config', '--auth-token', token],
    ['serve', '--http', '--auth-token', `${token} and more`],
    ['serve', '--http', '--host', '0.0.0.0', '--no-such-option'],
    ['serve', '--http', '--port', '1', '--host', '203.0.113.7'],
  ]) {
    const { stdout, stderr } = await world.run(args, { env });
    expect(stdout + stderr).not.toBe('');
    seen.push(stdout, stderr);
  }
  for (const text of seen) expect(text).not.toContain(token);
});

it('a token in a file is read from the user alone, and mistakes in it are not repeated', async () => {
  const world = createWorld();
  const file = 'home/.config/repertoire/config.toml';
  for (const wrong of [`["${token}"]`, `{ value = "${token}" }`, `"${token}`]) {
    world.write(file, `auth_token = ${wrong}\n`);
    const { code, stdout, stderr } = await world.run(['config']);
    expect(code, wrong).toBe(2);
    expect(stdout + stderr).not.toContain(token);
  }
  world.write(file, `auth_token = "${token}"\n`);
  const { url } = await startHttp(world);
  expect((await ask(url, { body: '{}' })).status).toBe(401);
  expect((await openSession(url, '2025-11-25', bearer)).id).toBeTruthy();
  world.write(file, '');
  world.write('project/repertoire.toml', `auth_token = "${token}"\n`);
  const refused = await world.run(['config']);
  expect(refused.code).toBe(2);
  expect(refused.stdout + refused.stderr).not.toContain(token);
});

it('a warning about a short token does not contain it', async () => {
  const server = startStdio(createWorld(), ['serve', '--http', '--port', '0', '--auth-token', 'abc-123']);
  await server.logged(/warn +the token has fewer than 16 characters/);
  expect(server.stderr).not.toContain('abc-123');
});

it('a skill that cannot be read is logged as one line, without a stack trace', async () => {
  const world = createWorld();
  world.skill('project/skills/pdf');
  world.skill('project/skills/gone');
  const server = await connectStdio(world, ['mcp', '--no-refresh']);
  await server.load('pdf');
  rmSync(world.path('project/skills/gone/SKILL.md'));
  const { isError } = await server.call('skill', { name: 'gone' });
  expect(isError).toBe(true);
  await server.end();
  const told = server.stderr.split('\n').filter((line) => / error /.test(line));
  expect(told).toEqual([expect.stringMatching(/ error skill: .*gone\/SKILL\.md cannot be read \(ENOENT\)/)]);
  expect(server.stderr).not.toMatch(/\bat .*:\d+:\d+/);
});
