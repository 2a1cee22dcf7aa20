import { connect } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { type HttpServer, startHttp } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { createRandom, frame, type Random } from './frames.ts';

const versions = ['2025-11-25', '2026-07-28', '2024-11-05', '1999-01-01', ''];
const types = ['application/json', 'application/json', 'text/plain', ''];

async function serving(): Promise<HttpServer> {
  const world = createWorld();
  world.skill('home/.claude/skills/pdf', { body: '\n# The one true text\n' });
  return startHttp(world, ['serve', '--transport', 'sse']);
}

/** A session of its own, which the garbage is sent to as well. */
async function openSession(url: string): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

async function post(url: string, random: Random, id: number, session: string): Promise<number> {
  const made = frame(random, id);
  // A subscription is a stream that ends only when its reader goes.
  const body = made.includes('subscriptions') ? Buffer.from('{}') : made;
  const response = await fetch(random.below(10) === 0 ? url.replace('/mcp', `/messages?sessionId=${session}`) : url, {
    method: 'POST',
    headers: {
      'content-type': random.pick(types),
      accept: random.pick(['application/json, text/event-stream', '*/*']),
      'mcp-protocol-version': random.pick(versions),
      'mcp-method': random.pick(['tools/call', 'x', '']),
      ...(random.below(2) === 0 ? { 'mcp-session-id': random.pick([session, 'nonsense', '']) } : {}),
    },
    body: Uint8Array.from(body),
  });
  await response.text();
  return response.status;
}

/** Bytes that are hardly HTTP, on a connection of their own, which the server must end or answer. */
function throwBytes(port: number, random: Random): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const start = random.pick(['POST /mcp HTTP/1.1\r\nHost: localhost\r\n', 'GET / HTTP/9.9\r\n\r\n', '', '\r\n\r\n']);
    const noise = Buffer.from(Array.from({ length: random.below(400) }, () => random.below(256)));
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    socket.end(Buffer.concat([Buffer.from(start), noise]));
    socket.resume();
  });
}

async function stillAnswers(url: string): Promise<void> {
  for (const options of [{}, { versionNegotiation: { mode: 'auto' } }] as const) {
    const client = new Client({ name: 'test', version: '1' }, options);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const result = await client.callTool({ name: 'skill', arguments: { name: 'pdf' } });
    expect(JSON.stringify(result.content)).toContain('# The one true text');
    await client.close();
  }
}

describe('a server over HTTP', () => {
  it('answers every garbled request, and valid ones afterwards', async () => {
    const random = createRandom(99);
    const { url } = await serving();
    const session = await openSession(url);
    const statuses = new Set<number>();
    for (let sent = 0; sent < 3_000; sent += 20) {
      const round = Array.from({ length: 20 }, (_, at) => post(url, random, sent + at, session));
      for (const status of await Promise.all(round)) statuses.add(status);
    }
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
    await stillAnswers(url);
  });

  it('survives bytes that are not HTTP', async () => {
    const random = createRandom(3);
    const { url, process: server } = await serving();
    const port = Number(new URL(url).port);
    for (let sent = 0; sent < 300; sent += 30) {
      await Promise.all(Array.from({ length: 30 }, () => throwBytes(port, random)));
    }
    await stillAnswers(url);
    server.child.kill('SIGTERM');
    expect(await server.exited).toBe(0);
  });
});
