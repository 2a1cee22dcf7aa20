import { request as httpRequest } from 'node:http';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clientOf, eras } from '../extension/clients.ts';
import { ask, listenTo, openSession } from '../serve/http.ts';
import { connectStdio, type HttpServer, modernMeta, type StdioServer, startHttp, startStdio } from '../support/mcp.ts';
import type { World } from '../support/world.ts';
import { overStdio } from './clients.ts';
import { asleep, callOf, executed, gone, lab, longSleep, resultsIn, sleepers } from './library.ts';

/** Steps of which each takes until its sleep is ended, which the shell would report with a line of its own. */
const steps = 'exec 2> /dev/null; for i in 1 2 3 4; do echo "step $i"; sleep "$1"; done';
const sleeping = { sleep: 'echo begun; exec sleep "$1"' };

describe('a run under way', () => {
  /** Lets the tool go on after each step that was told, however late that was: it sleeps until it is woken. */
  async function goOn(seconds: string, told: () => unknown[]): Promise<void> {
    for (const step of [1, 2, 3, 4]) {
      await expect.poll(() => told().length).toBe(step);
      await asleep(seconds);
      for (const id of sleepers(seconds)) process.kill(Number(id));
    }
  }

  it('tells how far it has come to who asks to be told, and to nobody else [C4-LIMIT-14]', async () => {
    const world = lab({ steps });
    const server = await connectStdio(world, ['serve']);
    const progress = () => server.messages.filter(({ method }) => method === 'notifications/progress');
    await server.request('tools/call', callOf('steps', '0.3'));
    expect(progress()).toEqual([]);
    const seconds = longSleep();
    const running = server.request('tools/call', { ...callOf('steps', seconds), _meta: { progressToken: 'mine' } });
    await goOn(seconds, progress);
    await running;
    const told = progress().map(({ params }) => params ?? {});
    expect(told).toHaveLength(4);
    expect(new Set(told.map((one) => one['progressToken']))).toEqual(new Set(['mine']));
    // It only ever goes on, and says what the tool said last.
    const numbers = told.map((one) => Number(one['progress']));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const { message } of told as { message: string }[]) expect(message).toMatch(/^step [1-4]$/);
    // Nothing follows the result.
    const last = server.messages.at(-1);
    expect(last?.result).toBeDefined();
  });

  it.each(eras)('tells it in either era and over either transport (%s)', async (era) => {
    const world = lab({ steps });
    const { url } = await startHttp(world);
    for (const connect of [
      (client: Client) => overStdio(world, client),
      (client: Client) => client.connect(new StreamableHTTPClientTransport(new URL(url))),
    ]) {
      const client = clientOf(era);
      await connect(client);
      const messages: (string | undefined)[] = [];
      const onprogress = ({ message }: { message?: string | undefined }) => messages.push(message);
      const seconds = longSleep();
      const result = client.callTool(callOf('steps', seconds) as never, { onprogress });
      await goOn(seconds, () => messages);
      expect(executed((await result) as never).text).toContain('step 1\nstep 2\nstep 3\nstep 4\n');
      expect(messages).toEqual(['step 1', 'step 2', 'step 3', 'step 4']);
    }
  });
});

describe('a request that is cancelled', () => {
  /** Cancels in one of the ways there are, and expects that the run is gone soon after. */
  async function cancelled(world: World, begin: (seconds: string) => Promise<() => void>): Promise<void> {
    const seconds = longSleep();
    const cancel = await begin(seconds);
    await asleep(seconds);
    cancel();
    // It is over at once, where the machine is not busy; by itself it would go on for minutes.
    await gone(seconds);
    await expect.poll(() => resultsIn(world)).toEqual(['cancelled']);
  }

  it('kills its run, in either era over stdio [C4-LIMIT-13]', async () => {
    for (const meta of [{}, modernMeta]) {
      const world = lab(sleeping);
      const server = meta === modernMeta ? startStdio(world, ['serve']) : await connectStdio(world, ['serve']);
      await cancelled(world, async (seconds) => {
        server.send({ id: 'long', method: 'tools/call', params: { ...callOf('sleep', seconds), ...meta } });
        return () => server.notify('notifications/cancelled', { requestId: 'long', reason: 'enough', ...meta });
      });
      // It is not answered, and the next one is.
      expect((await server.ask('tools/call', { ...callOf('sleep', '0'), ...meta })).result).toBeDefined();
      expect(server.messages.some(({ id }) => id === 'long')).toBe(false);
    }
  });

  it('kills its run where the client takes it back, or goes away, over HTTP [C4-LIMIT-13]', async () => {
    const world = lab(sleeping);
    const server = await startHttp(world);
    const session = await openSession(server.url);
    await cancelled(world, async (seconds) => {
      post(server, { id: 7, method: 'tools/call', params: callOf('sleep', seconds) }, session.headers);
      return () => {
        const params = { requestId: 7, reason: 'enough' };
        post(server, { method: 'notifications/cancelled', params }, session.headers);
      };
    });
    const modern = lab(sleeping);
    const other = await startHttp(modern);
    await cancelled(modern, async (seconds) => {
      const params = { ...callOf('sleep', seconds), ...modernMeta };
      const headers = {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'skill-engine/execute',
      };
      const leave = post(other, { id: 7, method: 'tools/call', params }, headers);
      return leave;
    });
  });

  it('kills its run where the client of a session goes away [C4-LIMIT-13]', async () => {
    const world = lab(sleeping);
    const server = await startHttp(world);
    for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25']) {
      const session = await openSession(server.url, revision);
      const seconds = [longSleep(), longSleep()];
      const calls = seconds.map((one, id) => ({ id, method: 'tools/call', params: callOf('sleep', one) }));
      const leave = calls.map((call) => post(server, call, session.headers));
      await Promise.all(seconds.map(asleep));
      for (const one of leave) one();
      for (const one of seconds) await gone(one);
      // The session goes on, and the ids are free again.
      expect(await session.request('ping')).toEqual({});
    }
    await expect.poll(() => resultsIn(world)).toEqual(Array(6).fill('cancelled'));
  });

  it('kills its run where the stream of events is closed, in the oldest way over HTTP', async () => {
    const world = lab(sleeping);
    const { url } = await startHttp(world, ['serve', '--transport', 'sse']);
    const stream = await listenTo(url);
    await expect.poll(stream.text).toContain('sessionId=');
    const messages = new URL(/data: (\S+)/.exec(stream.text())?.[1] ?? '', url).href;
    await cancelled(world, async (seconds) => {
      await ask(messages, { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: callOf('sleep', seconds) } });
      return () => stream.close();
    });
  });

  it('counts as such where the session of it is ended', async () => {
    const world = lab(sleeping);
    const server = await startHttp(world);
    const session = await openSession(server.url);
    await cancelled(world, async (seconds) => {
      post(server, { id: 7, method: 'tools/call', params: callOf('sleep', seconds) }, session.headers);
      return () => void ask(server.url, { method: 'DELETE', headers: session.headers });
    });
  });

  it('is never begun where it was still waiting for its turn', async () => {
    const world = lab(sleeping);
    world.write('home/.config/repertoire/policy.toml', '[concurrency]\nper_skill = 1\n');
    const server = await connectStdio(world, ['serve']);
    const [first, second] = [longSleep(), longSleep()];
    begin(server, 'first', first);
    await asleep(first);
    begin(server, 'second', second);
    server.notify('notifications/cancelled', { requestId: 'second' });
    await expect.poll(() => resultsIn(world)).toContain('cancelled');
    server.notify('notifications/cancelled', { requestId: 'first' });
    await gone(first);
    await expect.poll(() => resultsIn(world)).toEqual(['cancelled', 'cancelled']);
  });
});

function begin(server: StdioServer, id: string, seconds: string): void {
  server.send({ id, method: 'tools/call', params: callOf('sleep', seconds) });
}

/** Sends a message without waiting for an answer; what is returned breaks the connection off. */
function post({ url }: HttpServer, message: object, headers: Readonly<Record<string, string>>): () => void {
  const accept = 'application/json, text/event-stream';
  const all = { 'content-type': 'application/json', accept, ...headers };
  const request = httpRequest(url, { method: 'POST', headers: all, agent: false });
  request.on('error', () => {}); // broken off
  request.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const leave = () => void request.destroy();
  onTestFinished(leave);
  return leave;
}
