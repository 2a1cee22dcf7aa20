import { mkdirSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { connectStdio, type Message, type StdioServer, startHttp } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { ask, askModern, openSession } from './http.ts';

/** Sends a line and gives the next error. */
async function refusal(server: StdioServer, line: string): Promise<Message> {
  const answer = server.next(({ error }) => error !== undefined);
  server.write(`${line}\n`);
  return answer;
}

it('malformed JSON is -32700 on every transport [C2-PROTO-05 S4-ERR-03]', async () => {
  const world = createWorld();
  const server = await connectStdio(world);
  for (const line of ['{"jsonrpc":', 'not json', '{"jsonrpc":"2.0","id":1,"method":"ping"', "{'id':1}"]) {
    expect(await refusal(server, line)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } });
  }
  const { url } = await startHttp(world);
  const { status, messages } = await ask(url, { body: '{"jsonrpc":' });
  expect(status).toBe(400);
  expect(messages).toMatchObject([{ jsonrpc: '2.0', id: null, error: { code: -32700 } }]);
});

it('a cursor that no list has given is -32602, also where a list has one page', async () => {
  const server = await connectStdio(createWorld());
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list', 'skills/list']) {
    const { error } = await server.ask(method, { cursor: 'mine' });
    expect([error?.code, error?.message], method).toEqual([-32602, expect.stringContaining('Invalid cursor')]);
  }
});

it('a message that is not a request is -32600 on every transport [C2-PROTO-06 S4-ERR-04 S4-MSG-01]', async () => {
  const wrong = ['{}', '5', '"ping"', 'null', '{"jsonrpc":"1.0","id":1,"method":"ping"}', '{"id":1,"method":"ping"}'];
  const world = createWorld();
  const server = await connectStdio(world);
  for (const line of wrong) expect((await refusal(server, line)).error?.code, line).toBe(-32600);
  expect(await refusal(server, '{"jsonrpc":"2.0","id":"mine","method":7}')).toMatchObject({ id: 'mine' });
  const { url } = await startHttp(world);
  const session = await openSession(url);
  for (const body of wrong) {
    const { status, messages } = await ask(url, { headers: session.headers, body });
    expect([status, messages[0]?.error?.code], body).toEqual([400, -32600]);
  }
});

it('an unknown method is -32601 on every transport and in both eras [C2-PROTO-07 S4-ERR-05]', async () => {
  const world = createWorld();
  const server = await connectStdio(world);
  for (const method of ['no/such/method', 'toString', '', 'tools/List']) {
    expect((await server.ask(method)).error, method).toEqual({ code: -32601, message: 'Method not found' });
  }
  const { url } = await startHttp(world);
  const session = await openSession(url);
  expect((await session.ask('no/such/method')).messages).toMatchObject([{ error: { code: -32601 } }]);
  const modern = await askModern(url, 'no/such/method');
  expect([modern.status, modern.messages[0]?.error?.code]).toEqual([404, -32601]);
});

const badCalls: readonly (readonly [string, object | undefined])[] = [
  ['initialize', { protocolVersion: 5 }],
  ['tools/call', undefined],
  ['tools/call', {}],
  ['tools/call', { name: 5 }],
  ['tools/call', { name: 'no-such-tool' }],
  ['tools/call', { name: 'skill', arguments: 'pdf' }],
  ['tools/call', { name: 'skill', arguments: { name: 5 } }],
  ['tools/call', { name: 'skill', arguments: { name: '../../etc/passwd' } }],
  ['tools/call', { name: 'skill', arguments: { name: 'a', unheard: 'of' } }],
  ['tools/call', { name: 'skills.search', arguments: { query: 'x', limit: 26 } }],
  ['tools/list', { cursor: 5 }],
  ['tools/list', { _meta: 5 }],
  ['resources/read', {}],
  ['resources/read', { uri: 'skill://no/such/SKILL.md' }],
  ['resources/list', { cursor: 5 }],
  ['resources/directory/read', {}],
  ['skills/get', { uri: 5 }],
  ['prompts/get', { name: 'no-such-prompt' }],
  ['prompts/get', { name: 'a', arguments: { x: 5 } }],
  ['completion/complete', { ref: 'x' }],
];

it('invalid parameters are -32602, with the id of the request [C2-PROTO-08 S4-ERR-06 S4-ERR-01]', async () => {
  const world = createWorld();
  world.skill('project/skills/a');
  const server = await connectStdio(world, ['serve']);
  for (const [method, params] of badCalls) {
    const { id, error, result } = await server.ask(method, params);
    expect(result, method).toBeUndefined();
    expect(error, `${method} ${JSON.stringify(params)}`).toMatchObject({ code: -32602 });
    expect(error?.message, method).not.toMatch(/[[{]/); // words, not a dump
    expect(id).toBeGreaterThan(10_000);
  }
  server.send({ id: 'of my own', method: 'skills/get', params: { uri: 5 } });
  expect(await server.next(({ id }) => id === 'of my own')).toEqual({
    jsonrpc: '2.0',
    id: 'of my own',
    error: { code: -32602, message: '`uri` must be a string' },
  });
});

it('invalid parameters are -32602 over HTTP as well, in both eras', async () => {
  const world = createWorld();
  const { url } = await startHttp(world);
  const session = await openSession(url);
  for (const [method, params] of badCalls.filter(([, given]) => !JSON.stringify(given ?? '').includes('_meta'))) {
    const { status, messages } = await session.ask(method, params);
    const expected = method === 'initialize' ? 400 : 200;
    expect([status, messages[0]?.error?.code], `${method} ${JSON.stringify(params)}`).toEqual([expected, -32602]);
    if (method === 'initialize') continue;
    // A name that the header cannot repeat is refused before anything else.
    const modern = await askModern(url, method, params);
    expect([-32602, -32020], `${method} ${JSON.stringify(params)}`).toContain(modern.messages[0]?.error?.code);
  }
});

it('`skill` without a name is answered that it needs one [S1-ERROR-01 S1-ERROR-02 S1-ERROR-03]', async () => {
  const server = await connectStdio(createWorld());
  const missing = await server.ask('tools/call', { name: 'skill', arguments: {} });
  expect(missing.result).toBeUndefined();
  expect(missing.error).toEqual({ code: -32602, message: '`name` is required' });
  expect((await server.ask('tools/call', { name: 'skill' })).error).toEqual(missing.error);
  const empty = await server.ask('tools/call', { name: 'skill', arguments: { name: '' } });
  expect(empty.error).toEqual({ code: -32602, message: 'Skill name cannot be empty' });
});

it('a file that cannot be read is an internal error for the client, with the details in the log [S1-ERROR-04 S1-ERROR-05 S1-ERROR-06 C2-PROTO-09 S4-ERR-07]', async () => {
  const world = createWorld();
  const folder = world.skill('project/skills/broken');
  world.skill('project/skills/whole');
  const server = await connectStdio(world, ['serve', '--no-refresh', '--log-level', 'debug']);
  const { resources } = await server.request<{ resources: { uri: string }[] }>('resources/list');
  const { uri } = resources.find((one) => one.uri.includes('broken')) ?? { uri: '' };
  rmSync(`${folder}/SKILL.md`);
  mkdirSync(`${folder}/SKILL.md`);
  for (const [method, params] of [
    ['resources/read', { uri }],
    ['prompts/get', { name: 'broken' }],
  ] as const) {
    const { error } = await server.ask(method, params);
    expect(error?.code, method).toBe(-32603);
    expect(error?.message, method).toContain(`${folder}/SKILL.md cannot be read (not a regular file)`);
    await server.logged(new RegExp(`error +${method}: .*SKILL\\.md cannot be read \\(not a regular file\\)`));
    await server.logged(new RegExp(`debug +${method} failed .*error=".* at `));
  }
  // A model can do better next time, so that it is told by a result.
  const call = await server.call('skill', { name: 'broken' });
  expect(call.isError).toBe(true);
  expect(call.content[0]?.text).toContain('cannot be read');
  await server.logged(/error +skill: .*cannot be read/);
  await server.logged(/debug +skill failed .*error=".* at /);
  expect(await server.load('whole')).toContain('Loading: whole');
});
