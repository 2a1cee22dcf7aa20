import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { balance } from './balancer.ts';

/** Two servers behind the balancer, the first of which hangs up on whoever asks for anything. */
async function withOneThatDies(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const dying = await listening(
    createServer((request, response) => {
      if (request.url === '/readyz') return response.end();
      asked.push('dying');
      return request.resume().on('end', () => request.socket.destroy());
    }),
  );
  const sound = await listening(
    createServer((request, response) => {
      if (request.url !== '/readyz') asked.push('sound');
      request.resume().on('end', () => response.end('sound'));
    }),
  );
  return { url: await balance([dying, sound]), asked };
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Asks often enough that each server would have had its turn. */
async function answersTo(url: string, body: string): Promise<readonly string[]> {
  const answers: string[] = [];
  for (let time = 0; time < 6; time++) {
    const answer = await fetch(url, { method: 'POST', body }).then(
      (response) => response.text(),
      () => 'closed',
    );
    answers.push(answer);
  }
  return answers;
}

const call = (name: string, args: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

describe('the balancer', () => {
  it('asks the other server when one dies over a request that runs nothing', async () => {
    const { url, asked } = await withOneThatDies();
    const answers = await answersTo(`${url}/mcp`, call('skill', { name: 'pdf' }));
    expect(new Set(answers)).toEqual(new Set(['sound']));
    expect(asked).toContain('dying');
  });

  it.each([
    ['an execution', '/mcp', call('skill-engine/execute', {})],
    ['an execution under its other name', '/mcp', call('skill_engine_execute', {})],
    ['what may be one in disguise', '/mcp', call('skill-engine/execute', {}).replace('execute', '\\u0065xecute')],
    ['what is too long to be looked through', '/mcp', call('skill', { name: 'x'.repeat(9000) })],
    ['what is not for clients of MCP', '/api/run', call('skill', {})],
  ])('sends %s once, whatever becomes of it', async (_, path, body) => {
    const { url, asked } = await withOneThatDies();
    const answers = await answersTo(url + path, body);
    expect(asked).toHaveLength(answers.length);
    expect(new Set(asked)).toEqual(new Set(['dying', 'sound']));
  });

  it('says who asks and by which address, whatever clients say of themselves', async () => {
    const told: IncomingHttpHeaders[] = [];
    const server = await listening(
      createServer((request, response) => {
        if (request.url !== '/readyz') told.push(request.headers);
        response.end();
      }),
    );
    const url = await balance([server, server]);
    const names = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-prefix'];
    await fetch(`${url}/mcp`, { headers: Object.fromEntries(names.map((name) => [name, 'forged'])) });
    expect(names.map((name) => told[0]?.[name])).toEqual(['127.0.0.1', 'http', new URL(url).host, undefined]);
  });
});
