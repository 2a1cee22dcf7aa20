import { once } from 'node:events';
import { Agent } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Exchange, Route } from '../../src/faces/http/exchange.ts';
import { messageOf, restOf, serve, until } from './server.ts';

const get = 'GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** A route that answers when it is told to. */
function held(): { readonly routes: Readonly<Record<string, Route>>; readonly open: Exchange[] } {
  const open: Exchange[] = [];
  return { open, routes: { '/mcp': (exchange) => void open.push(exchange) } };
}

describe('answers', () => {
  it('name the exchange to the client and in every line of the log', async () => {
    const { ask, lines } = await serve(
      {},
      {
        '/mcp': ({ log, response, url }) => {
          log.info('at work', { size: 3 });
          response.end(url.searchParams.get('q'));
        },
      },
    );
    const first = await ask('/mcp?q=private');
    const second = await ask('/mcp?q=private');
    expect(first.text).toBe('private');
    const ids = [first, second].map(({ headers }) => headers['x-request-id']);
    expect(new Set(ids).size).toBe(2);
    await until(() => lines().length === 4);
    expect(lines().slice(0, 2)).toEqual([
      expect.objectContaining({ level: 'info', message: 'at work', request: ids[0], size: 3 }),
      expect.objectContaining({
        level: 'debug',
        request: ids[0],
        method: 'GET',
        path: '/mcp',
        status: 200,
        ms: expect.any(Number),
      }),
    ]);
    expect(JSON.stringify(lines())).not.toContain('private');
  });

  it('name the served paths where nothing is served at the path', async () => {
    const { ask } = await serve();
    for (const path of ['/', '/nope', '/mcp/', '/MCP', '/%6dcp', '/__proto__', '/constructor', '/mcp;x']) {
      const answer = await ask(path);
      expect([path, answer.status, messageOf(answer)]).toEqual([path, 404, 'nothing is served here; try /mcp']);
      expect(answer.headers['content-type']).toBe('application/json');
    }
  });

  it('report that the server is healthy', async () => {
    const { ask } = await serve();
    const { status, text, headers } = await ask('/healthz');
    expect([status, text, headers['content-type']]).toEqual([200, '{"status":"ok"}', 'application/json']);
    expect((await ask('/healthz', { method: 'HEAD' })).text).toBe('');
    const posted = await ask('/healthz', { method: 'POST' }, 'x');
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it.each<[string, Route]>([
    [
      'throws',
      () => {
        throw new Error('the inner secret', { cause: new Error('deeper') });
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('the inner secret', { cause: new Error('deeper') });
      },
    ],
  ])('do not disclose what happened when a route %s; the log has it', async (_, route) => {
    const { ask, lines } = await serve({}, { '/mcp': route });
    const answer = await ask('/mcp', { method: 'POST' }, 'x');
    expect([answer.status, messageOf(answer)]).toEqual([500, 'internal error; see the log of the server']);
    const [line] = lines();
    expect(line).toMatchObject({ level: 'error', request: answer.headers['x-request-id'] });
    expect(line?.['error']).toMatch(/the inner secret.*serving\.test\.ts.*deeper/s);
  });

  it('break off when a route fails in their middle, and stand when it fails after their end', async () => {
    const { ask, lines } = await serve(
      {},
      {
        '/middle': ({ response }) => {
          response.write('part');
          throw new Error('half way');
        },
        '/after': ({ response }) => {
          response.end('whole');
          throw new Error('too late');
        },
      },
    );
    await expect(ask('/middle')).rejects.toThrow();
    expect((await ask('/after')).text).toBe('whole');
    expect(lines().filter(({ level }) => level === 'error')).toHaveLength(2);
  });

  it('may be written to a client that is gone', async () => {
    const { open, routes } = held();
    const { dial, ask } = await serve({}, { ...routes, '/next': ({ response }) => void response.end('next') });
    const socket = await dial();
    socket.write(get);
    await until(() => open.length === 1);
    socket.resetAndDestroy();
    const response = open[0]?.response;
    await once(response as NonNullable<typeof response>, 'close');
    response?.write('late');
    response?.end('later');
    response?.write('after the end');
    expect((await ask('/next')).text).toBe('next');
  });

  it('keep the connection, also after a refusal with a small body', async () => {
    const { ask } = await serve({ token: 'a-token-of-a-fair-length' });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await ask('/mcp', { agent, method: 'POST' }, 'x'.repeat(1000));
      expect([answer.status, answer.headers.connection]).toEqual([401, 'keep-alive']);
    }
  });
});

describe('a flood of refusals', () => {
  it('makes a few lines and a count', async () => {
    const { ask, lines, server } = await serve();
    for (let turn = 0; turn < 40; turn += 1) await ask('/mcp', { headers: { host: 'evil.example' } });
    await ask('/mcp', { headers: { host: 'x'.repeat(5000), origin: 'null' } });
    const warnings = lines().filter(({ level }) => level === 'warn');
    expect(warnings).toHaveLength(10);
    expect(warnings[0]).toMatchObject({ status: 403, from: '127.0.0.1', host: 'evil.example', path: '/mcp' });
    await server.close(0);
    expect(lines().at(-1)).toMatchObject({
      level: 'warn',
      message: 'more requests were refused',
      kind: '403',
      more: 31,
    });
  });

  it('leaves room for refusals of another kind', async () => {
    const { ask, lines } = await serve({ token: 'a-token-of-a-fair-length' });
    for (let turn = 0; turn < 15; turn += 1) await ask('/mcp', { headers: { host: 'evil.example' } });
    await ask('/mcp');
    expect(lines().at(-1)).toMatchObject({ level: 'warn', status: 401 });
  });
});

describe('closing', () => {
  it('ends at once when nothing runs, whatever connections are open', async () => {
    const { server, dial, raw } = await serve();
    const untouched = await dial();
    const used = await dial();
    used.write(get);
    await once(used, 'data');
    const halfway = await dial();
    halfway.write('GET /mcp HTTP/1.1\r\nHost: lo');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await server.close(60_000);
    await Promise.all([untouched, used, halfway].map(restOf));
    await expect(raw(get)).rejects.toThrow('ECONNREFUSED');
  });

  it('waits for what is under way', async () => {
    const { open, routes } = held();
    const { server, dial } = await serve({}, routes);
    const socket = await dial();
    socket.write(get);
    await until(() => open.length === 1);
    let closed = false;
    const closing = server.close(60_000).then(() => {
      closed = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(closed).toBe(false);
    const rest = restOf(socket);
    open[0]?.response.end('done');
    expect(await rest).toMatch(/done/);
    await closing;
  });

  it('cuts what takes too long, and sooner when asked again', async () => {
    const { open, routes } = held();
    const { server, dial } = await serve({}, routes);
    const socket = await dial();
    socket.write(get);
    await until(() => open.length === 1);
    open[0]?.response.write('a stream');
    const patient = server.close(Number.POSITIVE_INFINITY);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(socket.closed).toBe(false);
    await server.close(10);
    await patient;
    await restOf(socket);
    await server.close(0);
  });

  it('answers what waits on a busy connection, and asks to close it', async () => {
    const { open, routes } = held();
    const { server, dial } = await serve({}, routes);
    const socket = await dial();
    socket.write(get.repeat(2));
    await until(() => open.length === 1);
    const closing = server.close(60_000);
    const rest = restOf(socket);
    open[0]?.response.end('done');
    await until(() => open.length === 2);
    open[1]?.response.end('done');
    expect(await rest).toMatch(/done.*Connection: close.*done/s);
    await closing;
  });
});
