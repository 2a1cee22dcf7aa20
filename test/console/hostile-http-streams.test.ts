import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLive } from '../../src/faces/web/events.ts';
import { serve, until } from '../http/server.ts';
import { serveAlone, serveConsole } from '../support/console.ts';
import { createWorld } from '../support/world.ts';
import { described, operationsIn } from './described.ts';
import { engineOn } from './engine.ts';
import { everySort } from './worlds.ts';

describe('streams of events', () => {
  it('are held to a number, and the rest is told so', async () => {
    const console = await serveConsole(everySort());
    const head = `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${console.token}\r\n\r\n`;
    const answers: string[] = [];
    const sockets = await Promise.all(
      Array.from({ length: 300 }, async () => {
        const socket = await console.dial();
        socket.once('data', (bytes: Buffer) => answers.push(bytes.toString('latin1').slice(9, 12)));
        socket.write(head);
        return socket;
      }),
    );
    await until(() => answers.length === 300);
    expect(answers.filter((status) => status === '200')).toHaveLength(200);
    expect(answers.filter((status) => status === '503')).toHaveLength(100);
    expect((await console.ask('/api/browse')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    // Those who leave make room.
    const statusNow = async () => {
      const leaving = new AbortController();
      const { status } = await console.ask('/api/events', { signal: leaving.signal });
      leaving.abort();
      return status;
    };
    await expect.poll(statusNow).toBe(200);
    expect(await console.end()).toBe(0);
  });

  it('are cut where nobody takes what is sent', async () => {
    const live = createLive(engineOn(createWorld()), 'full');
    let page: ServerResponse | undefined;
    const served = await serve(
      {},
      {
        '/events': (exchange) => {
          page = exchange.response;
          live.listen(exchange);
        },
      },
    );
    const socket = await served.dial();
    socket.pause();
    socket.write('GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await until(() => page !== undefined);
    const revision = 'x'.repeat(100_000);
    let [told, most] = [0, 0];
    for (; told < 2000 && page?.destroyed !== true; told++) {
      live.tell({ type: 'skills', revision });
      most = Math.max(most, page?.writableLength ?? 0);
      await sleep(0);
    }
    expect(page?.destroyed).toBe(true);
    expect(most).toBeLessThan(2_000_000);
    socket.destroy();
    live.close();
  });
});

describe('a run', () => {
  it('does not go on for somebody who left before it began', async () => {
    const console = await serveConsole(everySort());
    const body = '{"target":"demo:wait"}';
    const socket = await console.dial();
    socket.write(
      `POST /api/run HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${console.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await sleep(5);
    socket.destroy();
    await sleep(1500); // by then it has begun, or never will; how soon it ends is up to the machine
    const goingOn = async () => {
      const { executions } = await console.told<{ executions: { result: string }[] }>('/api/audit');
      return executions.filter(({ result }) => result !== 'cancelled');
    };
    await expect.poll(goingOn).toEqual([]);
  });
});

describe('the token', () => {
  it('stands in the one line that tells the link, and nowhere else', async () => {
    const world = everySort();
    const console = await serveConsole(world, { args: ['--log-level', 'debug'] });
    const cookie = await console.signIn();
    const [, secret = ''] = cookie.split('=');
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${console.token}` };
    for (const { path, method } of operationsIn(await described())) {
      if (path === '/api/events') continue;
      const answer = await console.plain(path, { method, headers: { ...headers, Cookie: cookie } }, '{}');
      expect([path, answer.text.includes(console.token), answer.text.includes(secret)]).toEqual([path, false, false]);
    }
    await console.ask('/api/browse', { headers: { Authorization: 'Bearer wrong' } });
    await console.ask('/api/why?name=nothing');
    await sleep(200);
    const lines = console.log().split('\n');
    expect(lines.filter((line) => line.includes(console.token))).toEqual([expect.stringContaining(console.link)]);
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  });
});

describe('servers without a console', () => {
  it('have no page', async () => {
    const world = everySort();
    const starts = [
      ['serve', '--http', '--console', 'off'],
      ['mcp', '--http'],
      ['mcp-server', '--http'],
    ];
    for (const command of starts) {
      const url = await serveAlone(world, command);
      for (const path of ['/', '/api/session', '/api/browse', '/api/openapi.json']) {
        expect([command.join(' '), path, (await fetch(url + path)).status]).toEqual([command.join(' '), path, 404]);
      }
    }
  });
});
