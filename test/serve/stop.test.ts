import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { callOf, lab } from '../execute/library.ts';
import { connectStdio, modernMeta, type StdioServer, startHttp, startStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { ask, listenTo, openSession } from './http.ts';
import { longRequestTimers, slowSkills } from './slow.ts';

/** Every process that was started with a mark in its environment, by whatever ways. */
function marked(mark: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark);
    } catch {
      return false; // gone meanwhile, or not ours to look at
    }
  });
}

const shutdownLine = (reason: string) => new RegExp(`^\\S+ info +shutting down: ${reason}$`, 'm');

const ends: readonly (readonly [string, (server: StdioServer) => unknown, string])[] = [
  ['SIGINT', (server) => server.child.kill('SIGINT'), 'SIGINT'],
  ['SIGTERM', (server) => server.child.kill('SIGTERM'), 'SIGTERM'],
  ['SIGHUP', (server) => server.child.kill('SIGHUP'), 'SIGHUP'],
  ['the end of stdin', (server) => server.child.stdin?.end(), 'the client closed its end'],
  ['`shutdown`', (server) => server.send({ id: 'end', method: 'shutdown' }), 'the client requested it'],
];

it('every ordinary end has exit code 0, a line in the log, and leaves nothing behind [S1-STOP-01 S1-STOP-02 S1-STOP-03 S1-STOP-04 S1-STOP-05 C2-STDIO-03 C2-STDIO-04 C2-STDIO-05 C2-STDIO-06 C2-STDIO-07 C2-STDIO-08]', async () => {
  for (const [title, end, reason] of ends) {
    const world = createWorld();
    world.skill('project/skills/pdf');
    const mark = randomUUID();
    const server = await connectStdio(world, ['serve', '--refresh-interval', '100'], { env: { MARK: mark } });
    expect(await server.load('pdf')).toContain('Loading: pdf');
    await server.logged(/refresh/i); // the timer runs
    expect(marked(mark)).toContain(`${server.child.pid}`);
    end(server);
    expect(await server.exited, title).toBe(0);
    expect(server.stderr, title).not.toContain('given up'); // nothing was under way, so that nothing was waited for
    expect(server.child.signalCode, title).toBeNull();
    expect(server.stderr, title).toMatch(shutdownLine(reason));
    expect(server.stderr.match(/shutting down/g), title).toHaveLength(1);
    expect(marked(mark), title).toEqual([]);
  }
});

it('`shutdown` is answered before the server ends, in both eras [S4-LIFE-05]', async () => {
  for (const params of [undefined, modernMeta]) {
    const server = startStdio(createWorld(), ['serve']);
    if (params === undefined) await server.initialize();
    const { result, error } = await server.ask('shutdown', params);
    expect(error).toBeUndefined();
    expect(result).toMatchObject(params === undefined ? {} : { resultType: 'complete' });
    expect(await server.exited).toBe(0);
  }
});

it.each(['SIGINT', 'SIGTERM'] as const)('%s ends a server over HTTP: streams are closed, code 0', async (signal) => {
  const { url, process } = await startHttp(createWorld(), ['serve', '--transport', 'sse']);
  const session = await openSession(url);
  const streams = [await listenTo(url), await listenTo(url, { headers: session.headers })];
  process.child.kill(signal);
  expect(await process.exited).toBe(0);
  expect(process.stderr).not.toContain('given up');
  await Promise.all(streams.map(({ ended }) => ended));
  expect(process.stderr).toMatch(shutdownLine(signal));
  expect(process.stdout).toBe('');
  await expect(ask(url)).rejects.toThrow('ECONNREFUSED');
});

it('a server over HTTP has no use for stdin, and goes on without', async () => {
  const { url, process } = await startHttp(createWorld());
  process.child.stdin?.end();
  process.child.stdout?.destroy();
  for (let at = 0; at < 3; at++) expect(await (await openSession(url)).request('ping')).toEqual({});
  expect(process.child.exitCode).toBeNull();
});

it('a client over HTTP cannot end the server for all others', async () => {
  const { url } = await startHttp(createWorld());
  const session = await openSession(url);
  expect((await session.ask('shutdown')).messages[0]?.error?.code).toBe(-32601);
  expect(await session.request('ping')).toEqual({});
});

it.each(ends)('a request under way is answered before the server stops: %s', async (_title, end, reason) => {
  const world = createWorld();
  const slow = slowSkills(world, 600);
  const server = await connectStdio(world, ['serve'], longRequestTimers);
  server.send({ id: 'late', method: 'tools/list' });
  await server.request('ping');
  end(server);
  await server.logged(shutdownLine(reason));
  expect(server.messages.some(({ id }) => id === 'late')).toBe(false);
  slow.remove();
  expect(await server.exited).toBe(0);
  expect(server.messages.find(({ id }) => id === 'late')?.result?.['tools']).toHaveLength(6);
});

it('a request over HTTP is answered before the server stops', async () => {
  const world = createWorld();
  const slow = slowSkills(world, 600);
  const { url, process } = await startHttp(world, ['serve', '--http'], longRequestTimers);
  const session = await openSession(url);
  const late = session.request<{ tools: unknown[] }>('tools/list');
  await session.request('ping');
  process.child.kill('SIGTERM');
  await process.logged(shutdownLine('SIGTERM'));
  slow.remove();
  expect((await late).tools).toHaveLength(6);
  expect(await process.exited).toBe(0);
});

it('a request over a stream of events is answered before the server stops', async () => {
  const world = createWorld();
  const slow = slowSkills(world, 600);
  const { url, process } = await startHttp(world, ['serve', '--transport', 'sse'], longRequestTimers);
  const stream = await listenTo(url);
  await expect.poll(stream.text).toContain('sessionId=');
  const place = new URL(/data: (\S+)/.exec(stream.text())?.[1] ?? '', url).href;
  const say = (message: object) => ask(place, { body: { jsonrpc: '2.0', ...message } });
  const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
  await say({ id: 1, method: 'initialize', params });
  await say({ method: 'notifications/initialized' });
  await say({ id: 'late', method: 'tools/list' });
  process.child.kill('SIGTERM');
  await process.logged(shutdownLine('SIGTERM'));
  slow.remove();
  await stream.ended;
  expect(stream.messages().find(({ id }) => id === 'late')?.result?.['tools']).toHaveLength(6);
  expect(await process.exited).toBe(0);
});

it.each(['stdio', 'http'])('a request that takes longer than 2 s is not waited for: %s', async (transport) => {
  const world = createWorld();
  slowSkills(world, 600);
  const server = transport === 'stdio' ? await connectStdio(world, ['serve']) : (await startHttp(world)).process;
  // Unlike `tools/list`, a call waits for the end of the scan.
  const call = { name: 'skill', arguments: { name: 'slow' } };
  if (transport === 'stdio') server.send({ id: 'late', method: 'tools/call', params: call });
  else {
    const session = await openSession(/listening on (\S+)/.exec(server.stderr)?.[1] ?? '');
    session.ask('tools/call', call).catch(() => {}); // it is cut off
    await session.request('ping');
  }
  if (transport === 'stdio') await server.request('ping');
  const asked = Date.now();
  server.child.kill('SIGTERM');
  expect(await server.exited).toBe(0);
  expect(Date.now() - asked).toBeGreaterThan(1_500);
  expect(server.stderr).toContain('requests in progress were abandoned');
  expect(server.stderr).not.toContain('ready:');
});

/** A server whose client has asked for a run and closed its end. */
async function pipedRun(sh: string): Promise<StdioServer> {
  const server = await connectStdio(lab({ rest: sh }), ['serve']);
  server.send({ id: 'run', method: 'tools/call', params: callOf('rest', 'a while') });
  server.child.stdin?.end();
  return server;
}

it('a session that was piped in gets all of its answers, though they take longer than 2 s', async () => {
  const server = await pipedRun('sleep 4; echo rested');
  expect(await server.exited).toBe(0);
  expect(JSON.stringify(server.messages.find(({ id }) => id === 'run')?.result)).toContain('rested');
  expect(server.stderr).not.toContain('abandoned');
});

it('a server that waits for the answers to a piped session ends when it is told to', async () => {
  const server = await pipedRun('sleep 600');
  await server.logged(shutdownLine('the client closed its end'));
  server.child.kill('SIGTERM');
  expect(await server.exited).toBe(0);
  expect(server.stderr).toContain('requests in progress were abandoned');
});

it('a scan under way keeps no server alive', async () => {
  const world = createWorld();
  slowSkills(world, 600);
  const server = startStdio(world, ['serve', '--log-level', 'debug']);
  await server.logged(/looking for skills/);
  expect(await server.end()).toBe(0);
  expect(server.stderr).not.toContain('ready:');
});

it('a server that is asked twice to stop ends with code 0', async () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const world = createWorld();
    slowSkills(world, 600);
    const server = startStdio(world, ['serve', '--log-level', 'debug']);
    server.send({ id: 'never', method: 'tools/list' }); // keeps it from ending at once
    await server.logged(/looking for skills/);
    server.child.kill(signal);
    await server.logged(/shutting down/);
    server.child.kill(signal);
    expect(await server.exited).toBe(0);
  }
});

it('a client that does not read keeps no server from ending', async () => {
  const world = createWorld();
  for (let at = 0; at < 100; at++) world.skill(`home/.claude/skills/skill-${at}`, { description: 'long '.repeat(40) });
  const server = await connectStdio(world, ['serve']);
  server.child.stdout?.pause();
  for (let id = 0; id < 300; id++) server.send({ id, method: 'tools/list' });
  await server.logged(/ready:/);
  server.child.kill('SIGTERM');
  await server.logged(/shutting down/);
  await expect.poll(() => server.child.exitCode).toBe(0);
  server.child.stdout?.destroy(); // what it had written is of no use to anybody
});
