import { describe, expect, it } from 'vitest';
import { readBody } from '../../src/faces/http/answers.ts';
import type { Route } from '../../src/faces/http/exchange.ts';
import { echo, holding, lives } from './echo.ts';
import { type Answer, restOf, serve, until } from './server.ts';

describe('requests that are sent in one go', () => {
  const one = 'GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n';

  it('are worked on one after another, in their order', async () => {
    const open: (() => void)[] = [];
    const served = await serve({}, holding(open));
    const socket = await served.dial();
    socket.write(one.repeat(3));
    for (const left of [2, 1, 0]) {
      await until(() => open.length === 1);
      await served.ask('/healthz'); // time in which the next one could begin
      expect(open).toHaveLength(1);
      open.pop()?.();
      if (left === 0) socket.end();
    }
    expect((await restOf(socket)).match(/held/g)?.length).toBeGreaterThan(0);
  });

  it('close the connection where they are too many, on one or on all', async () => {
    for (const limits of [{ pipelined: 5 }, { waiting: 5 }]) {
      const served = await serve({ limits }, holding([]));
      const socket = await served.dial();
      socket.write(one.repeat(8));
      expect(await restOf(socket)).toBe('');
      expect(served.lines()).toContainEqual(
        expect.objectContaining({ message: 'a connection was closed: too many requests wait on it' }),
      );
      await until(() => served.lines().length > 0);
      expect((await served.ask('/healthz')).status).toBe(200);
    }
  });
});

describe('an answer that nobody reads', () => {
  const large = Buffer.alloc(12_000_000, 'x');
  const routes = { '/mcp': (({ response }) => void response.end(large)) satisfies Route };
  const request = 'GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n';

  it('is given up when nothing of it was taken for a while; one that is read slowly is not', async () => {
    const served = await serve({ limits: { stalledMs: 1500, bufferBytes: 1e9 } }, routes);
    const [stuck, slow] = [await served.dial(), await served.dial()];
    for (const socket of [stuck, slow]) socket.pause().write(request);
    let taken = 0;
    while (taken < large.length) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      taken += slow.read()?.length ?? 0;
      expect(slow.closed).toBe(false);
    }
    await until(() =>
      served.lines().some(({ message }) => message === 'a connection was closed: its client does not read'),
    );
    expect(await restOf(stuck).then((text) => text.length)).toBeLessThan(large.length);
  });

  it('is given up where all together are too much, and the peer that keeps most goes first', async () => {
    const served = await serve({ limits: { bufferBytes: 8_000_000 } }, routes);
    const [first, second] = [await served.dial(), await served.dial()];
    for (const socket of [first, second]) socket.pause().write(request);
    const message = 'a connection was closed: its client keeps too much waiting';
    await until(() => served.lines().filter((line) => line.message === message).length === 2);
    expect((await served.ask('/healthz')).status).toBe(200);
    for (const socket of [first, second]) expect((await restOf(socket)).length).toBeLessThan(large.length);
  });

  it('keeps large requests out for as long, and not small ones', async () => {
    const open: (() => void)[] = [];
    const served = await serve({ limits: { bufferBytes: 400_000 } }, { ...echo, ...keeping(open) });
    const body = 'x'.repeat(300_000);
    const kept = served.ask('/keep', { method: 'POST' }, body);
    await until(() => open.length === 1);
    const refused = async (): Promise<Answer> => {
      const answer = await served.ask(
        '/mcp',
        { method: 'POST', headers: { 'content-length': 70_000 } },
        'x'.repeat(70_000),
      );
      return answer.status === 503 ? answer : refused();
    };
    expect((await refused()).headers['retry-after']).toBe('1');
    await lives(served);
    open[0]?.();
    expect((await kept).text).toBe('kept');
  });
});

/** A route that reads its body, and answers when asked to. */
function keeping(open: (() => void)[]): Readonly<Record<string, Route>> {
  return {
    '/keep': async (exchange) => {
      await readBody(exchange, 1_000_000);
      open.push(() => exchange.response.end('kept'));
    },
  };
}
