import { expect, it } from 'vitest';
import { connectStdio, modernMeta, startHttp, startStdio, toolNames } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { ask, askModern, openSession, pdfWorld } from './http.ts';

const legacy = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

it('every revision is spoken over stdio [C2-PROTO-01 C2-PROTO-02 S4-PROTO-01 S2-LIFE-03]', async () => {
  const world = pdfWorld();
  for (const revision of legacy) {
    const server = startStdio(world, ['serve']);
    expect((await server.initialize(revision))['protocolVersion']).toBe(revision);
    expect((await server.tools()).map(({ name }) => name)).toContain('skill');
    expect(await server.load('pdf')).toContain('How to read PDF.');
    expect(await server.end()).toBe(0);
  }
  const server = startStdio(world, ['serve']);
  const discovered = await server.request('server/discover', modernMeta);
  expect(discovered['supportedVersions']).toEqual(['2026-07-28']);
  const call = await server.request<{ content: { text: string }[]; resultType: string }>('tools/call', {
    name: 'skill',
    arguments: { name: 'pdf' },
    ...modernMeta,
  });
  expect(call).toMatchObject({ resultType: 'complete', content: [{ type: 'text' }] });
  expect(call.content[0]?.text).toContain('How to read PDF.');
});

it('one HTTP endpoint speaks every revision of both eras at the same time [C2-PROTO-01 C2-PROTO-02 C2-PROTO-03 C2-PROTO-04]', async () => {
  const { url } = await startHttp(pdfWorld());
  const sessions = await Promise.all(legacy.map((revision) => openSession(url, revision)));
  expect(sessions.map(({ result }) => result['protocolVersion'])).toEqual(legacy);
  const discovered = await askModern(url, 'server/discover');
  expect(discovered.messages[0]?.result).toMatchObject({ supportedVersions: ['2026-07-28'], resultType: 'complete' });
  expect(discovered.headers['mcp-session-id']).toBeUndefined();
  const question = { name: 'skill', arguments: { name: 'pdf' } };
  const answers = await Promise.all([
    ...sessions.map((session) => session.request<{ content: { text: string }[] }>('tools/call', question)),
    askModern(url, 'tools/call', question).then(
      ({ messages }) => messages[0]?.result as { content: { text: string }[] },
    ),
  ]);
  for (const { content } of answers) expect(content[0]?.text).toContain('How to read PDF.');
});

it('one stdio command serves both eras, each client by how it opens [C2-PROTO-03 C2-PROTO-04 S1-INIT-04]', async () => {
  const world = pdfWorld();
  const [older, newer, probing] = [0, 1, 2].map(() => startStdio(world, ['mcp'])) as [
    ReturnType<typeof startStdio>,
    ReturnType<typeof startStdio>,
    ReturnType<typeof startStdio>,
  ];
  expect(await older.initialize()).toMatchObject({
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'repertoire' },
  });
  const list = await newer.request('tools/list', modernMeta);
  expect(list).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
  // Who asks first and shakes hands then is served as it wishes.
  await probing.request('server/discover', modernMeta);
  expect((await probing.initialize('2025-06-18'))['protocolVersion']).toBe('2025-06-18');
  expect(await probing.load('pdf')).toContain('How to read PDF.');
});

it.each(['2023-01-01', '2026-07-28', '2099-12-31', 'nonsense'])(
  'a handshake for %s is answered with the newest revision that has one',
  async (asked) => {
    const server = startStdio(createWorld(), ['mcp']);
    expect((await server.initialize(asked))['protocolVersion']).toBe('2025-11-25');
    const { url } = await startHttp(createWorld());
    expect((await openSession(url, asked)).result['protocolVersion']).toBe('2025-11-25');
  },
);

it('a server says which revision it speaks in the newer era', async () => {
  const asked = { ...modernMeta._meta, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' };
  const server = startStdio(createWorld(), ['serve']);
  const { error } = await server.ask('tools/list', { _meta: asked });
  expect(error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'], requested: '2030-01-01' } });
  const { url } = await startHttp(createWorld());
  const answer = await askModern(url, 'tools/list', {}, { 'mcp-protocol-version': '2030-01-01' });
  expect(answer.status).toBe(400);
});

it('the handshake announces what the server can do, and the tools that it lists can be called [S4-LIFE-03 S4-LIFE-04 S2-LIFE-04 S4-METHOD-01]', async () => {
  const world = pdfWorld();
  const server = startStdio(world, ['serve']);
  const { capabilities } = await server.initialize();
  expect(capabilities).toEqual({
    tools: { listChanged: true },
    resources: { listChanged: true },
    prompts: { listChanged: true },
    completions: {},
    extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
  });
  const tools = await server.tools();
  expect(tools.map(({ name }) => name)).toEqual(toolNames);
  for (const { name, description, inputSchema } of tools) {
    expect(description.length).toBeGreaterThan(20);
    expect(inputSchema).toMatchObject({ type: 'object' });
    const query = { query: 'PDF' };
    const given = {
      skill: { name: 'pdf' },
      'skills.search': query,
      'skill-engine/search_skills': query,
      'skill-engine/execute': { skill_name: 'pdf', tool_name: 'fill', parameters: {} },
    };
    const args = given[name as keyof typeof given] ?? {};
    expect((await server.call(name, args)).content[0]?.text).toMatch(/pdf/i);
  }
});

it('`mcp-server` waits for the handshake, names itself and says which tool is for what [S2-LIFE-01 S2-LIFE-02 S2-LIFE-05 S2-LIFE-06 S2-LIFE-07 S2-LIFE-08]', async () => {
  const world = createWorld();
  world.skill('project/elsewhere/pdf');
  const server = startStdio(world, ['mcp-server', '--root', './elsewhere']);
  await server.logged(/ready: 1 skill/);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(server.stdout).toBe('');
  const { serverInfo, instructions } = await server.initialize('2025-03-26');
  const { version } = (await world.run(['--version'])).stdout.match(/(?<version>\d+\.\d+\.\d+\S*)/)?.groups ?? {};
  expect(serverInfo).toEqual({ name: 'sk-mcp', version });
  expect(instructions).toMatch(/`skills\.list` for all metadata/);
  expect(instructions).toMatch(/`skills\.search` for targeted lookups/);
  expect(await server.request('ping')).toEqual({});
  // The handshake and the ping: nothing was said to the notification between them.
  expect(server.messages).toHaveLength(2);
  expect((await server.call('skills.list')).structuredContent?.['skills']).toHaveLength(1);
});

it('no notification is answered, known or not, over stdio and HTTP [S2-LIFE-08]', async () => {
  const server = await connectStdio(createWorld(), ['mcp']);
  await server.request('prompts/list');
  const before = server.messages.length;
  server.notify('notifications/initialized');
  server.notify('notifications/roots/list_changed');
  server.notify('notifications/nothing');
  await server.request('ping');
  expect(server.messages).toHaveLength(before + 1);
  const { url } = await startHttp(createWorld());
  const session = await openSession(url);
  const { status, text } = await ask(url, {
    headers: session.headers,
    body: { jsonrpc: '2.0', method: 'notifications/initialized' },
  });
  expect([status, text]).toEqual([202, '']);
});
