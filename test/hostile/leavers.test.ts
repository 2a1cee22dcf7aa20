import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { serve } from '../http/server.ts';
import { letTimePass, movable } from '../serve/moved-clock.ts';
import { startHttp } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const handshake = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
const call = { id: 2, method: 'tools/call', params: { name: 'skill', arguments: { name: 'big' } } };

function bodyOf(message: object): string {
  return JSON.stringify({ jsonrpc: '2.0', ...message });
}

async function dial(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

describe('a client that leaves without its answers', () => {
  it('is forgotten, however many requests it sent in one go', async () => {
    const served = await serve({ token: 'a-token-that-nobody-has' });
    const one = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
    for (let at = 0; at < 50; at++) {
      const socket = await served.dial();
      socket.write(one.repeat(100));
      socket.resetAndDestroy();
    }
    // More than may be under way at once: were they still counted, nobody would be answered again.
    await expect.poll(async () => (await served.ask('/healthz')).status).toBe(200);
  });

  it('leaves a session that expires, and nothing that a stop would wait for', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/big', { body: 'x'.repeat(900_000) });
    const tenMinutes = ['serve', '--http', '--session-timeout', '600000', '--log-level', 'debug'];
    const { url, process } = await startHttp(world, tenMinutes, movable);
    const opened = await fetch(url, {
      method: 'POST',
      headers: json,
      body: bodyOf({ id: 1, method: 'initialize', params: handshake }),
    });
    await opened.text();
    const socket = await dial(url);
    socket.pause();
    const body = bodyOf(call);
    const head = [
      'POST /mcp HTTP/1.1',
      'Host: localhost',
      ...Object.entries(json).map(([name, value]) => `${name}: ${value}`),
      `Mcp-Session-Id: ${opened.headers.get('mcp-session-id')}`,
      `Content-Length: ${body.length}`,
    ];
    // More than the buffers on the way can hold: some are never begun.
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`.repeat(30));
    await expect.poll(() => process.stderr.split('debug tools/call').length).toBeGreaterThan(1);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(process.stderr.split('debug tools/call').length).toBeLessThan(31);
    socket.destroy();
    const expired = async () => {
      await letTimePass(process); // it does not know at once that nobody waits any more
      return process.stderr;
    };
    await expect.poll(expired).toContain('a session has expired');
    process.child.kill('SIGTERM');
    await once(process.child, 'exit');
    expect(process.stderr).not.toContain('given up');
  });

  it('is refused where it asks on and on over a stream that it does not read, and cut off', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/big', { body: 'x'.repeat(900_000) });
    const { url, process } = await startHttp(world, ['serve', '--transport', 'sse']);
    const stream = await dial(url);
    stream.write('GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n');
    let text = '';
    while (!/sessionId=\S+/.test(text)) text += String((await once(stream, 'data'))[0]);
    stream.pause();
    const messages = new URL(`/messages?${/sessionId=\S+/.exec(text)?.[0]}`, url);
    const post = async (message: object): Promise<number> =>
      (await fetch(messages, { method: 'POST', headers: json, body: bodyOf(message) })).status;
    await post({ id: 1, method: 'initialize', params: handshake });
    await post({ method: 'notifications/initialized' });
    let status = 202;
    for (let id = 2; id < 150 && status === 202; id++) status = await post({ ...call, id });
    expect(status).toBe(503);
    const message = 'a connection was closed: its client does not read';
    await expect.poll(() => process.stderr).toContain(message);
    expect(await post({ ...call, id: 200 })).toBe(404);
  });
});
