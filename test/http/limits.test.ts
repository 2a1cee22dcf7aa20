import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { echo, holding, lives, post, tailOf } from './echo.ts';
import { messageOf, restOf, serve, until } from './server.ts';

describe('a malformed request', () => {
  it.each([
    ['noise', Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10]), 400],
    ['the greeting of TLS', Buffer.from('160301020001000', 'hex'), 400],
    ['the greeting of HTTP/2', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 400],
    ['a bad version', Buffer.from('GET /mcp HTTP/9.9\r\nHost: localhost\r\n\r\n'), 400],
    ['two lengths', Buffer.from(post('abc', 'Content-Length: 3\r\nContent-Length: 4')), 400],
    ['a length and chunks', Buffer.from(post('0\r\n\r\n', 'Content-Length: 3\r\nTransfer-Encoding: chunked')), 400],
    ['a negative length', Buffer.from(post('', 'Content-Length: -1')), 400],
    ['a bad chunk', Buffer.from(post('zz\r\nabc', 'Transfer-Encoding: chunked')), 400],
    ['a header without an end', Buffer.from(`GET /mcp HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}`), 431],
    ['too many headers', Buffer.from(post('', 'A: 1\r\n'.repeat(201).trim())), 431],
  ])('gets a clear answer and a closed connection: %s', async (_, bytes, status) => {
    const served = await serve({}, echo);
    const answer = await served.raw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(messageOf(tailOf(answer))).not.toBe('');
    expect(served.lines()).toContainEqual(expect.objectContaining({ level: 'warn', status }));
    await lives(served);
  });

  it('is answered with what is wrong with it', async () => {
    const served = await serve({}, echo);
    const answer = await served.raw(post('0\r\n\r\n', 'Content-Length: 3\r\nTransfer-Encoding: chunked'));
    expect(messageOf(tailOf(answer))).toMatch(/^bad request: .*Transfer-Encoding/);
  });

  it('may also be for a proxy, an upgrade, an empty connection or a reset', async () => {
    const served = await serve({}, echo);
    await served.raw('CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const upgrade = 'Connection: close, Upgrade\r\nUpgrade: websocket\r\nContent-Length: 0';
    expect(await served.raw(post('', upgrade))).toMatch(/^HTTP\/1\.1 200 /);
    (await served.dial()).destroy();
    (await served.dial()).resetAndDestroy();
    expect(await served.raw('OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).toMatch(/ 400 /);
    await lives(served);
  });

  it('may be anything at all', async () => {
    const served = await serve({}, echo);
    const good = [post('abc', 'Content-Length: 3'), post('3\r\nabc\r\n0\r\n\r\n', 'Transfer-Encoding: chunked')];
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom('\r\n', '\r\n\r\n', 'Host: evil', 'Content-Length: 9', 'GET ', '\0', ...good)
        .map((text) => Buffer.from(text)),
      fc.tuple(fc.constantFrom(...good), fc.nat(90)).map(([text, at]) => Buffer.from(text.slice(0, at))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 6 }), async (pieces) => {
        const socket = await served.dial();
        for (const bytes of pieces) socket.write(bytes);
        socket.end();
        expect(await restOf(socket)).toMatch(/^(HTTP\/1\.1 [2-5]\d\d |$)/);
      }),
      { numRuns: 200 },
    );
    expect(served.lines().filter(({ level }) => level === 'error')).toEqual([]);
    await lives(served);
  });

  it('never breaks into an answer that has begun', async () => {
    const served = await serve({}, { ...echo, '/slow': ({ response }) => void response.write('part') });
    const socket = await served.dial();
    socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    socket.write('\u0000noise\r\n\r\n');
    expect(await restOf(socket)).toBe('');
    await lives(served);
  });
});

describe('limits', () => {
  it('refuse a long URL', async () => {
    const { ask, lines } = await serve();
    const answer = await ask(`/mcp?${'q'.repeat(9000)}`);
    expect(answer.status).toBe(414);
    expect(messageOf(answer)).toContain('8192');
    expect(JSON.stringify(lines()).length).toBeLessThan(1000);
  });

  it('end a request that trickles in, and leave a long answer alone', async () => {
    const limits = { headersMs: 150, requestMs: 300, checkMs: 50 };
    const served = await serve({ limits }, { ...echo, '/stream': ({ response }) => void response.write('begun') });
    const stream = await served.dial();
    stream.write('GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(stream, 'data');
    const [silent, header, body] = [await served.dial(), await served.dial(), await served.dial()];
    header.write('POST /mcp HTTP/1.1\r\nHost: loc');
    body.write(post('abc', 'Content-Length: 10'));
    const answers = await Promise.all([silent, header, body].map(restOf));
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(messageOf(tailOf(answer))).toBe('the request took too long to arrive');
    }
    expect(stream.closed).toBe(false);
    await lives(served);
  });

  it('close a connection that nobody uses', async () => {
    const served = await serve({ limits: { idleMs: 50 } });
    const socket = await served.dial();
    socket.write('GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await restOf(socket)).toContain('hello');
  });

  it('close an idle connection for a new one, first those that were never used', async () => {
    const served = await serve({ limits: { connections: 4 } });
    const [used, unused, third] = [await served.dial(), await served.dial(), await served.dial()];
    used.write('GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(used, 'data');
    expect((await served.ask('/mcp')).text).toBe('hello');
    expect(await restOf(unused)).toBe('');
    expect([used.closed, third.closed]).toEqual([false, false]);
    expect(served.lines()).toContainEqual(
      expect.objectContaining({ level: 'warn', message: 'an idle connection was closed: too many are open' }),
    );
  });

  it('drop a connection where all of its peer are in use, and leave room for others', async () => {
    const served = await serve({ limits: { connections: 4 } }, holding([]));
    const held = await Promise.all([1, 2, 3].map(() => served.dial()));
    for (const socket of held) socket.write('GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(() => served.lines().length === 0);
    expect((await served.ask('/healthz', { localAddress: '127.0.0.2' })).status).toBe(200);
    const fourth = connect(served.server.port, '127.0.0.1').on('error', () => {});
    expect(await restOf(fourth)).toBe('');
    expect(served.lines()).toContainEqual(
      expect.objectContaining({ level: 'warn', message: 'a connection was dropped: too many are open' }),
    );
    expect(held.map(({ closed }) => closed)).toEqual([false, false, false]);
  });

  it('refuse exchanges beyond the share of a peer, and answer another', async () => {
    const open: (() => void)[] = [];
    const served = await serve({ limits: { exchanges: 4 } }, holding(open));
    const asked = [1, 2, 3].map(() => served.ask('/mcp'));
    await until(() => open.length === 3);
    const refused = await served.ask('/mcp');
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect((await served.ask('/healthz', { localAddress: '127.0.0.2' })).status).toBe(200);
    for (const release of open.splice(0)) release();
    for (const answer of await Promise.all(asked)) expect(answer.text).toBe('held');
    const again = served.ask('/mcp');
    await until(() => open.length === 1);
    open[0]?.();
    expect((await again).text).toBe('held');
  });
});
