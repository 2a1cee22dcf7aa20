import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { readBody } from '../../src/faces/http/answers.ts';
import { echo, lives, post, tailOf } from './echo.ts';
import { messageOf, restOf, serve, until } from './server.ts';

describe('a body', () => {
  it('is read whole, in one piece or in many, up to the limit', async () => {
    const { ask, dial } = await serve({}, echo);
    for (const body of ['', 'x', 'y'.repeat(1000)]) {
      expect((await ask('/mcp', { method: 'POST' }, body)).text).toBe(body);
      expect((await ask('/mcp', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } }, body)).text).toBe(
        body,
      );
    }
    const socket = await dial();
    socket.write(post('', 'Connection: close\r\nContent-Length: 6'));
    for (const piece of ['ab', 'cd', 'ef']) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      socket.write(piece);
    }
    expect(await restOf(socket)).toMatch(/\r\n\r\nabcdef$/);
  });

  it('is refused by its declared length, before any of it came', async () => {
    const served = await serve({}, echo);
    const socket = await served.dial();
    socket.write(post('', 'Content-Length: 99999999999'));
    const answer = await restOf(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*Connection: close/s);
    expect(messageOf(tailOf(answer))).toBe('the request body is larger than 1000 bytes');
    await lives(served);
  });

  it('is refused when it grows too large without saying so', async () => {
    const served = await serve({}, echo);
    const chunk = `3e8\r\n${'z'.repeat(1000)}\r\n`;
    const answer = await served.raw(post(`${chunk}${chunk}`, 'Transfer-Encoding: chunked'));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    await lives(served);
  });

  it('is answered with 413 also to a client that reads only after it has sent everything', async () => {
    const served = await serve({}, echo);
    const answer = await served.ask('/mcp', { method: 'POST' }, Buffer.alloc(4_000_000));
    expect([answer.status, messageOf(answer)]).toEqual([413, 'the request body is larger than 1000 bytes']);
  });

  it('is cut off when it never ends', async () => {
    const served = await serve({}, echo);
    const socket = await served.dial();
    socket.write(post('', 'Transfer-Encoding: chunked'));
    const chunk = Buffer.from(`10000\r\n${'z'.repeat(0x10000)}\r\n`);
    const pump = setInterval(() => socket.write(chunk), 1);
    expect(await restOf(socket)).toMatch(/^HTTP\/1\.1 413 /);
    clearInterval(pump);
    await lives(served);
  });

  it('may stop in the middle, with the client gone', async () => {
    const results: unknown[] = [];
    const routes: typeof echo = {
      '/mcp': async (exchange) => {
        const body = await readBody(exchange, 1000);
        results.push(body);
        if (body !== null) exchange.response.end(body);
      },
    };
    const served = await serve({}, routes);
    for (const end of ['destroy', 'resetAndDestroy', 'end'] as const) {
      const socket = await served.dial();
      socket.write(post('abc', 'Content-Length: 10'));
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket[end]();
      await restOf(socket);
    }
    await until(() => results.length === 3);
    expect(results).toEqual([null, null, null]);
    await lives(served);
  });

  it('is not waited for when the client left before it was asked for', async () => {
    let result: Buffer | null | undefined;
    const served = await serve(
      {},
      {
        '/mcp': async (exchange) => {
          await once(exchange.response, 'close');
          result = await readBody(exchange, 1000);
        },
      },
    );
    const socket = await served.dial();
    socket.write(post('abc', 'Content-Length: 3'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.destroy();
    await until(() => result !== undefined);
    expect(result).toBeNull();
  });

  it('that is longer than declared is another request, and not a good one', async () => {
    const served = await serve({}, echo);
    const answer = await served.raw(post('abcdefgh', 'Content-Length: 3'));
    expect(answer).toContain('HTTP/1.1 400 Bad Request');
    await lives(served);
  });

  it('is asked for only after the guards have let the request through', async () => {
    const served = await serve({ token: 'a-token-of-a-fair-length' }, echo);
    const expecting = 'Content-Length: 3\r\nExpect: 100-continue\r\nConnection: close';
    const refused = await served.dial();
    refused.write(post('', expecting));
    expect(await restOf(refused)).toMatch(/^HTTP\/1\.1 401 /);
    const socket = await served.dial();
    socket.write(post('', `${expecting}\r\nAuthorization: Bearer a-token-of-a-fair-length`));
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('abc');
    expect(await restOf(socket)).toMatch(/^HTTP\/1\.1 200 .*abc$/s);
  });
});
