import { expect, it } from 'vitest';
import { modernMeta, startHttp } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { ask, listenTo, openSession, type Session } from './http.ts';
import { letTimePass, movable } from './moved-clock.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const refusals = {
  missing: 'Bad request: Mcp-Session-Id is missing; open a session with `initialize`',
  unknown: 'Session not found: it may have expired; open a new one with `initialize`',
};

it('session ids cannot be guessed', async () => {
  const { url } = await startHttp(createWorld());
  const sessions = await Promise.all(Array.from({ length: 64 }, () => openSession(url)));
  const ids = sessions.map(({ id }) => id);
  expect(new Set(ids).size).toBe(64);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  // Random in every place: over 64 ids each of the free digits takes many values, and none counts up.
  const digits = ids.map((id) => id.replaceAll('-', ''));
  for (const at of [...Array(32).keys()].filter((one) => one !== 12 && one !== 16)) {
    expect(new Set(digits.map((id) => id[at])).size, `digit ${at}`).toBeGreaterThan(8);
  }
});

it('a request without a session is 400, one with an unknown session 404, by any method', async () => {
  const { url } = await startHttp(createWorld());
  const stranger = { 'mcp-session-id': '8a5ef0a3-3a3c-4b61-9fd1-d1b8de5a9b2f' };
  for (const method of ['POST', 'GET', 'DELETE']) {
    const body = method === 'POST' ? ping : undefined;
    const missing = await ask(url, { method, body });
    expect([missing.status, missing.messages[0]?.error?.message]).toEqual([400, refusals.missing]);
    const unknown = await ask(url, { method, body, headers: stranger });
    expect([unknown.status, unknown.messages[0]?.error?.message]).toEqual([404, refusals.unknown]);
  }
  const empty = await ask(url, { body: ping, headers: { 'mcp-session-id': '' } });
  expect(empty.status).toBe(400);
  // Neither a name that every object has, nor one with odd characters, is a session.
  for (const id of ['__proto__', 'constructor', '%00', '"']) {
    expect((await ask(url, { body: ping, headers: { 'mcp-session-id': id } })).status, id).toBe(404);
  }
});

it('DELETE ends a session, its streams with it, and no other', async () => {
  const { url } = await startHttp(createWorld());
  const [mine, other] = [await openSession(url), await openSession(url)];
  const stream = await listenTo(url, { headers: mine.headers });
  expect((await ask(url, { method: 'DELETE', headers: mine.headers })).status).toBe(200);
  await stream.ended;
  expect((await mine.ask('ping')).status).toBe(404);
  expect((await ask(url, { method: 'DELETE', headers: mine.headers })).status).toBe(404);
  expect(await other.request('ping')).toEqual({});
});

it('an idle session expires after --session-timeout; one in use, or with an open stream, does not', async () => {
  const tenMinutes = ['serve', '--http', '--session-timeout', '600000', '--log-level', 'debug'];
  const { url, process } = await startHttp(createWorld(), tenMinutes, movable);
  const [idle, used, listening] = [await openSession(url), await openSession(url), await openSession(url)];
  const stream = await listenTo(url, { headers: listening.headers });
  await letTimePass(process);
  expect(await used.request('ping')).toEqual({});
  expect(process.stderr).not.toContain('a session has expired');
  await letTimePass(process);
  await process.logged(/a session has expired/);
  expect(await used.request('ping')).toEqual({});
  expect((await idle.ask('ping')).status).toBe(404);
  expect((await listening.ask('ping')).status).toBe(200);
  stream.close();
  // Idle time begins when the server sees that the stream is closed, which may be after any of these.
  const expired = async (): Promise<number | undefined> => {
    await letTimePass(process);
    return process.stderr.match(/a session has expired/g)?.length;
  };
  await expect.poll(expired).toBe(3);
  expect((await listening.ask('ping')).status).toBe(404);
  // Who comes back opens a new one.
  expect(await (await openSession(url)).request('ping')).toEqual({});
});

it('a client that takes any type, as curl does, gets its answers', async () => {
  const { url } = await startHttp(createWorld(), ['serve', '--http']);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'curl', version: '1' } };
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  for (const accept of ['*/*', 'text/html, */*']) {
    const headers = { accept, 'content-type': 'application/json' };
    const { status, messages } = await ask(url, { headers, body });
    expect([status, messages[0]?.result?.['protocolVersion']]).toEqual([200, '2025-11-25']);
  }
});

it('a handshake that fails opens no session', async () => {
  const { url, process } = await startHttp(createWorld(), ['serve', '--http', '--log-level', 'debug']);
  for (const params of [{}, { protocolVersion: 5 }, undefined]) {
    const { status, headers, messages } = await ask(url, {
      body: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
    });
    expect([status, messages[0]?.error?.code, headers['mcp-session-id']]).toEqual([400, -32602, undefined]);
  }
  const plain = { accept: 'text/plain', 'content-type': 'application/json' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  expect((await ask(url, { headers: plain, body })).status).toBe(406);
  expect((await ask(url, { headers: { 'content-type': 'text/plain' }, body })).status).toBe(415);
  expect(process.stderr).not.toContain('a session has started');
});

it.each([
  ['2025-03-26', 200],
  ['2025-06-18', 400],
])('a batch in a session of revision %s is answered with %i', async (revision, status) => {
  const { url } = await startHttp(createWorld());
  const { headers } = await openSession(url, revision);
  const answer = await ask(url, { headers, body: [ping, { ...ping, id: 2 }] });
  expect(answer.status).toBe(status);
  if (status === 200) expect(new Set(answer.messages.map(({ id }) => id))).toEqual(new Set([1, 2]));
  else
    expect(answer.messages[0]?.error).toEqual({
      code: -32600,
      message: `Invalid request: revision ${revision} has no batches`,
    });
  expect((await ask(url, { headers, body: Array.from({ length: 101 }, () => ping) })).status).toBe(400);
});

it('changes are pushed: to every session that listens, and to subscribers of the newer era', async () => {
  const world = createWorld();
  world.skill('project/skills/one');
  const { url } = await startHttp(world, ['mcp-server', '--http']);
  const sessions: Session[] = [await openSession(url), await openSession(url, '2025-03-26')];
  const streams = await Promise.all(sessions.map(({ headers }) => listenTo(url, { headers })));
  const subscription = await listenTo(url, {
    method: 'POST',
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    body: {
      jsonrpc: '2.0',
      id: 'sub',
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, ...modernMeta },
    },
  });
  await expect.poll(() => subscription.messages()[0]?.method).toBe('notifications/subscriptions/acknowledged');
  await sessions[0]?.request('tools/list');
  world.skill('project/skills/two');
  await sessions[0]?.request('tools/call', { name: 'skills.list', arguments: {} });
  for (const stream of streams) {
    await expect
      .poll(() => stream.messages().map(({ method }) => method))
      .toEqual(expect.arrayContaining(['notifications/tools/list_changed', 'notifications/resources/list_changed']));
  }
  await expect
    .poll(() => subscription.messages().map(({ method }) => method))
    .toEqual(['notifications/subscriptions/acknowledged', 'notifications/tools/list_changed']);
});

it('a session outlives its stream of events, and so does the server', async () => {
  const { url } = await startHttp(createWorld());
  const session = await openSession(url);
  const stream = await listenTo(url, { headers: session.headers });
  stream.close();
  await stream.ended;
  expect(await session.request('ping')).toEqual({});
  expect(await (await openSession(url)).request('ping')).toEqual({});
});
