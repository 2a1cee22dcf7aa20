import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type McpSubscription, SSEClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clientOf, clientOverHttp, clientOverStdio } from '../extension/clients.ts';
import { modernMeta, startHttp } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { lists, quiet } from './changes.ts';

function worldOfOne(): World {
  const world = createWorld();
  world.skill('home/.claude/skills/one');
  return world;
}

/** Notes what a client is told from here on, list by list. */
function notesOf(client: Client): string[] {
  const notes: string[] = [];
  for (const list of lists) {
    client.setNotificationHandler(`notifications/${list}/list_changed`, () => void notes.push(list));
  }
  return notes;
}

const all = lists.toSorted();

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A stream of events that is read for as long as the test runs. */
async function listenTo(url: string, request: RequestInit): Promise<{ readonly heard: () => string }> {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const stream = await fetch(url, { ...request, signal: gone.signal });
  let text = '';
  const reading = async (): Promise<void> => {
    for await (const chunk of stream.body ?? []) text += Buffer.from(chunk).toString('utf8');
  };
  reading().catch(() => {}); // cut off when the test is over
  return { heard: () => text };
}

function post(message: object, more: Readonly<Record<string, string>> = {}): RequestInit {
  return { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify({ jsonrpc: '2.0', ...message }) };
}

describe('who is told of changes over HTTP', () => {
  it('every session of the handshake era, on its stream [C2-FRESH-12 C2-FRESH-13 S2-FOLLOW-01]', async () => {
    const world = worldOfOne();
    const server = await startHttp(world);
    const clients = await Promise.all([1, 2, 3].map(() => clientOverHttp(world, 'legacy', server)));
    const notes = clients.map(notesOf);
    await quiet(server.process);
    world.skill('home/.claude/skills/two');
    for (const one of notes) await expect.poll(() => one.toSorted()).toEqual(all);
    const { tools } = await (clients[0] as Client).listTools();
    expect(tools.find(({ name }) => name === 'skill')?.description).toContain('What two does.');
  });

  it('no session that has not yet said that it is ready [C2-FRESH-15]', async () => {
    const world = worldOfOne();
    const { url, process: server } = await startHttp(world);
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } };
    const opened = await fetch(url, post({ id: 1, method: 'initialize', params }));
    await opened.text();
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const { heard } = await listenTo(url, { headers: { accept: 'text/event-stream', ...session } });
    await quiet(server);
    world.skill('home/.claude/skills/unheard');
    await server.logged(/refreshed: 2 skills, 1 added/);
    await sleep(200);
    expect(heard()).not.toContain('list_changed');
    await fetch(url, post({ method: 'notifications/initialized' }, session));
    world.skill('home/.claude/skills/heard');
    await expect.poll(heard).toContain('notifications/tools/list_changed');
    expect(heard()).toContain('"reason":"1 added"');
  });

  it('subscribers of the newer era are told why as well', async () => {
    const world = worldOfOne();
    const { url, process: server } = await startHttp(world);
    const params = { notifications: { resourcesListChanged: true }, ...modernMeta };
    const more = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
    const { heard } = await listenTo(url, post({ id: 'sub', method: 'subscriptions/listen', params }, more));
    await quiet(server);
    world.skill('home/.claude/skills/two');
    await expect.poll(heard).toContain('notifications/resources/list_changed');
    expect(heard()).toContain('"reason":"1 added"');
    expect(heard()).toContain('"io.modelcontextprotocol/subscriptionId":"sub"');
    expect(heard()).not.toContain('tools/list_changed');
  });

  it('of the newer era only those who subscribed, and to what they subscribed to [C2-FRESH-16]', async () => {
    const world = worldOfOne();
    const server = await startHttp(world);
    const [silent, tools, everything] = await Promise.all([1, 2, 3].map(() => clientOverHttp(world, 'modern', server)));
    const notes = [silent, tools, everything].map((client) => notesOf(client as Client));
    const subscription = await (tools as Client).listen({ toolsListChanged: true });
    expect(subscription.honoredFilter).toEqual({ toolsListChanged: true });
    await (everything as Client).listen({
      toolsListChanged: true,
      resourcesListChanged: true,
      promptsListChanged: true,
    });
    await (silent as Client).listTools();
    await quiet(server.process);
    world.skill('home/.claude/skills/two');
    await expect.poll(() => notes[2]?.toSorted()).toEqual(all);
    await expect.poll(() => notes[1]).toEqual(['tools']);
    await sleep(200);
    expect(notes[0]).toEqual([]);
    await subscription.close();
    await quiet(server.process);
    world.skill('home/.claude/skills/three');
    await expect.poll(() => notes[2]?.length).toBe(6);
    await sleep(200);
    expect(notes[1]).toEqual(['tools']);
  });

  it("the protocol's own client over stdio, in both eras", async () => {
    const world = worldOfOne();
    const [legacy, modern] = await Promise.all([clientOverStdio(world, 'legacy'), clientOverStdio(world, 'modern')]);
    const notes = [notesOf(legacy), notesOf(modern)];
    await modern.listen({ toolsListChanged: true, resourcesListChanged: true, promptsListChanged: true });
    await Promise.all([legacy.listTools(), modern.listTools()]);
    await sleep(1500);
    world.skill('home/.claude/skills/two');
    for (const one of notes) await expect.poll(() => one.toSorted()).toEqual(all);
  });

  it('a client of the oldest way over HTTP, on its stream of events', async () => {
    const world = worldOfOne();
    const server = await startHttp(world, ['serve', '--transport', 'sse']);
    const client = clientOf('legacy');
    await client.connect(new SSEClientTransport(new URL(server.url)));
    const notes = notesOf(client);
    await quiet(server.process);
    world.skill('home/.claude/skills/two');
    await expect.poll(() => notes.toSorted()).toEqual(all);
  });

  it('a subscription ends in good order when the server does', async () => {
    const world = worldOfOne();
    const server = await startHttp(world);
    const client = await clientOverHttp(world, 'modern', server);
    const subscription: McpSubscription = await client.listen({ toolsListChanged: true });
    server.process.child.kill('SIGTERM');
    expect(await subscription.closed).toBe('graceful');
    expect(await server.process.exited).toBe(0);
  });
});
