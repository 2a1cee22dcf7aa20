import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSession } from '../serve/http.ts';
import { type HttpServer, startHttp } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';

function serving(): Promise<HttpServer> {
  const world = createWorld();
  world.skill('home/.claude/skills/pdf', { body: '\n# The one true text\n' });
  return startHttp(world);
}

function dial(url: string, localAddress: string): Socket {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** A batch of a hundred questions with long answers. */
const batch = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })));

function posted(body: string, session: string): string {
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Mcp-Session-Id: ${session}`,
    `Content-Length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** In megabytes, at its most so far. */
function memoryOf({ process }: HttpServer): number {
  const status = readFileSync(`/proc/${process.child.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1000;
}

describe('a client that floods the server', () => {
  it('with questions whose answers it never reads takes little memory, and nobody else waits for it', async () => {
    const server = await serving();
    const good = await openSession(server.url);
    await good.request('tools/list');
    const before = memoryOf(server);
    for (let at = 0; at < 60; at++) {
      const { id } = await openSession(server.url, '2025-03-26');
      dial(server.url, '127.0.0.2').pause().write(posted(batch, id).repeat(8));
    }
    // Most of what was asked for could have been answered in this time, 12 MB for each connection.
    for (const end = Date.now() + 8000; Date.now() < end; ) {
      expect(await good.request('tools/list')).toBeDefined();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(memoryOf(server) - before).toBeLessThan(100);
  });

  it('with idle connections keeps nobody out', async () => {
    const server = await serving();
    const good = await openSession(server.url);
    for (let at = 0; at < 3000; at += 100) {
      await Promise.all(
        Array.from({ length: 100 }, () => {
          const socket = dial(server.url, '127.0.0.2');
          return new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
        }),
      );
      expect(await good.request('ping')).toEqual({});
    }
    expect(await (await openSession(server.url)).request('ping')).toEqual({});
    expect(server.process.stderr).toContain('an idle connection was closed: too many are open');
    expect(server.process.stderr).not.toContain('from=127.0.0.1');
  });
});
