import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connectStdio, modernMeta, startStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { lists, nextTold, pastDebounceMs, quiet, toldOf } from './changes.ts';

function worldOfOne(): World {
  const world = createWorld();
  world.skill('home/.claude/skills/one');
  return world;
}

const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } };

describe('who is told of changes over stdio', () => {
  it('a client that has shaken hands, and not before it has said so [C2-FRESH-15 S2-WATCH-05]', async () => {
    const world = worldOfOne();
    const server = startStdio(world, ['mcp', '--refresh-interval', '200']);
    await quiet(server);
    world.skill('home/.claude/skills/before-all');
    await server.logged(/refreshed: 2 skills, 1 added/);
    await sleep(200);
    expect(server.stdout).toBe('');
    await server.request('initialize', hello);
    world.skill('home/.claude/skills/before-initialized');
    await server.logged(/refreshed: 3 skills, 1 added/);
    await sleep(200);
    expect(server.messages.filter(({ method }) => method !== undefined)).toEqual([]);
    server.notify('notifications/initialized');
    const coming = lists.map((list) => nextTold(server, list));
    world.skill('home/.claude/skills/after');
    for (const { params } of await Promise.all(coming)) expect(params?.['reason']).toBe('1 added');
  });

  it('the same where the handshake is out of the ordinary [C2-FRESH-15]', async () => {
    const world = worldOfOne();
    const server = startStdio(world, ['mcp']);
    const clientInfo = { ...hello.clientInfo, icons: [{ src: 'https://example.com/icon.png' }] };
    await server.request('initialize', { ...hello, clientInfo });
    await server.request('ping');
    await quiet(server);
    world.skill('home/.claude/skills/unheard');
    await server.logged(/refreshed: 2 skills, 1 added/);
    await sleep(200);
    expect(server.messages.filter(({ method }) => method !== undefined)).toEqual([]);
    server.notify('notifications/initialized');
    const coming = nextTold(server);
    world.skill('home/.claude/skills/heard');
    await coming;
  });

  it('a client of the newer era hears nothing that it has not subscribed to [C2-FRESH-16]', async () => {
    const world = worldOfOne();
    const server = startStdio(world, ['mcp', '--refresh-interval', '86400000']);
    await server.request('tools/list', modernMeta);
    await quiet(server);
    world.skill('home/.claude/skills/unheard');
    await server.logged(/refreshed: 2 skills, 1 added/);
    await sleep(200);
    expect(server.messages.filter(({ method }) => method !== undefined)).toEqual([]);

    const acknowledged = server.next(({ method }) => method === 'notifications/subscriptions/acknowledged');
    server.send({
      id: 'sub',
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, ...modernMeta },
    });
    expect((await acknowledged).params).toMatchObject({
      notifications: { toolsListChanged: true },
      _meta: { [subscriptionId]: 'sub' },
    });
    await quiet(server);
    const coming = nextTold(server);
    world.skill('home/.claude/skills/heard');
    expect((await coming).params).toMatchObject({ reason: '1 added', _meta: { [subscriptionId]: 'sub' } });
    await sleep(200);
    expect(toldOf(server, 'resources')).toEqual([]);
    expect(toldOf(server, 'prompts')).toEqual([]);

    server.notify('notifications/cancelled', { requestId: 'sub', ...modernMeta });
    await quiet(server);
    world.skill('home/.claude/skills/unheard-again');
    await server.logged(/refreshed: 4 skills, 1 added/);
    await sleep(200);
    expect(toldOf(server)).toHaveLength(1);
  });

  it('several subscriptions each get what they asked for, under their own name', async () => {
    const world = worldOfOne();
    const server = startStdio(world, ['mcp']);
    for (const [id, notifications] of [
      ['all', { toolsListChanged: true, resourcesListChanged: true, promptsListChanged: true }],
      [7, { resourcesListChanged: true }],
    ] as const) {
      const acknowledged = server.next(({ method }) => method === 'notifications/subscriptions/acknowledged');
      server.send({ id, method: 'subscriptions/listen', params: { notifications, ...modernMeta } });
      await acknowledged;
    }
    await quiet(server);
    world.skill('home/.claude/skills/two');
    await expect.poll(() => toldOf(server, 'resources').length).toBe(2);
    await sleep(200);
    const ids = (list: (typeof lists)[number]): unknown[] =>
      toldOf(server, list).map(
        ({ params }) => (params?.['_meta'] as Record<string, unknown> | undefined)?.[subscriptionId],
      );
    expect(new Set(ids('resources'))).toEqual(new Set(['all', 7]));
    expect([ids('tools'), ids('prompts')]).toEqual([['all'], ['all']]);
  });

  it('a client that was answered from memory is told if the first scan finds otherwise', async () => {
    const world = worldOfOne();
    const first = await connectStdio(world);
    await first.tools();
    await quiet(first);
    expect(await first.end()).toBe(0);
    // Nothing that a look at the folders alone would show.
    world.write('home/.claude/skills/one/SKILL.md', '---\nname: one\ndescription: Changed behind its back.\n---\n');
    const second = await connectStdio(world);
    const coming = nextTold(second);
    const [tool] = await second.tools();
    if (!tool?.description.includes('Changed behind its back.')) await coming;
    expect((await second.tools())[0]?.description).toContain('Changed behind its back.');
    coming.catch(() => {}); // where the first answer was right already, nobody has to be told
    await sleep(pastDebounceMs);
    expect(toldOf(second).length).toBeLessThanOrEqual(1);
  });
});
