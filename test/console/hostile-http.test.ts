import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ErrorBody } from '../../src/faces/web/shapes.ts';
import { restOf } from '../http/server.ts';
import { type ServedConsole, serveConsole } from '../support/console.ts';
import { described, operationsIn, problemsWith } from './described.ts';
import { everySort } from './worlds.ts';

const json = { 'Content-Type': 'application/json' };

function bearer({ token }: ServedConsole): { Authorization: string } {
  return { Authorization: `Bearer ${token}` };
}

async function errorOf(answer: Response): Promise<ErrorBody['error'] & { status: number }> {
  return { status: answer.status, ...((await answer.json()) as ErrorBody).error };
}

describe('hostile requests', () => {
  it('get the headers that keep a page harmless, whatever is answered', async () => {
    const console = await serveConsole(everySort());
    const own = bearer(console);
    const asked = [
      await console.plain('/'),
      await console.plain('/assets/none.js'),
      await console.plain('/none'),
      await console.plain('/api/none'),
      await console.plain('/api/browse'),
      await console.plain('/api/browse', { headers: own }),
      await console.plain('/api/browse', { headers: { ...own, Host: 'evil.example' } }),
      await console.plain('/api/inspect?name=none', { headers: own }),
      await console.plain('/api/file?name=demo&path=assets/a.png', { headers: own }),
      await console.plain('/', { method: 'POST' }),
      await console.plain('/api/run', { method: 'POST', headers: { ...own, ...json } }, 'no JSON'),
      await console.plain('/api/run', { method: 'POST', headers: { ...own, ...json } }, 'x'.repeat(5_000_000)),
      await console.plain(`/${'x'.repeat(9000)}`),
    ];
    for (const { status, headers } of asked) {
      expect(headers['content-security-policy'], String(status)).toContain("default-src 'none'");
      expect(headers['content-security-policy'], String(status)).toContain("frame-ancestors 'none'");
      expect(headers['x-content-type-options'], String(status)).toBe('nosniff');
      expect(headers['referrer-policy'], String(status)).toBe('no-referrer');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
    const policy = asked[0]?.headers['content-security-policy'] ?? '';
    expect(policy).not.toMatch(/unsafe|data:|blob:|\*/);
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(asked.map(({ status }) => status)).toEqual([
      200, 404, 404, 404, 401, 200, 403, 404, 200, 405, 400, 413, 414,
    ]);
  });

  it('use each route in its own way only', async () => {
    const console = await serveConsole(everySort());
    const own = { ...json, ...bearer(console) };
    for (const { path, method: right } of operationsIn(await described())) {
      const wrong = ['HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', right === 'GET' ? 'POST' : 'GET'];
      const methods = path === '/api/session' ? ['PUT', 'DELETE', 'HEAD'] : wrong;
      for (const method of methods) {
        const { status, headers } = await console.plain(path, { method, headers: own });
        expect([path, method, status]).toEqual([path, method, 405]);
        expect(headers['allow']).toMatch(/^(GET|POST)$/);
      }
    }
    const head = await console.plain('/', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await console.plain('/', { method: 'DELETE' })).status).toBe(405);
  });

  it('find no file but those of the page, however the path is written', async () => {
    const console = await serveConsole(everySort());
    const tricks = [
      '/assets/../package.json',
      '/assets/../../cli/bin.cjs',
      '/assets/%2e%2e/%2e%2e/cli/bin.cjs',
      '/assets/..%2f..%2fcli%2fbin.cjs',
      '/assets/..\\..\\cli\\bin.cjs',
      '/assets//icon.svg',
      '//assets/icon.svg',
      '/assets/icon.svg%00.html',
      '/assets/',
      '/assets',
      '/index.html',
      '/ui/index.html',
      '/assets/__proto__',
      '//evil.example/%2f..',
      '/%2fevil.example',
    ];
    for (const path of tricks) {
      const { status, headers } = await console.plain(path, { headers: bearer(console) });
      expect([path, status, headers['location']]).toEqual([path, 404, undefined]);
    }
    const socket = await console.dial();
    socket.write('GET http://evil.example/api/browse HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
    expect(await restOf(socket)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('read no file outside of a skill', async () => {
    const console = await serveConsole(everySort());
    const paths = [
      '../../../home/secret.png',
      '/etc/passwd',
      'assets/../../../../../home/secret.png',
      'assets/out.png',
      'assets\\..\\..\\a.png',
      '%2e%2e/secret.png',
      'assets/a.png\0.txt',
      '',
      '.',
      '..',
      'assets',
      'x'.repeat(4000),
      'file:///etc/passwd',
    ];
    for (const path of paths) {
      for (const route of ['file', 'read']) {
        const query = new URLSearchParams({ name: 'demo', path }).toString();
        const answer = await console.ask(`/api/${route}?${query}`);
        const { code, status } = await errorOf(answer);
        expect([400, 404, 422, 403], `${route} ${path} ${code}`).toContain(status);
      }
    }
    const named = new URLSearchParams({ name: 'demo', path: 'SKILL.md', file: '/etc/passwd' }).toString();
    expect((await console.ask(`/api/read?${named}`)).status).toBe(404);
    expect((await console.ask('/api/read?name=../demo&path=SKILL.md')).status).toBe(400);
  });

  it('are told which field does not fit', async () => {
    const console = await serveConsole(everySort());
    const asked: readonly [string, string][] = [
      ['/api/browse?colour=red', 'colour'],
      ['/api/browse?__proto__=x', '__proto__'],
      ['/api/browse?constructor=x', 'constructor'],
      ['/api/browse?limit=0', 'limit'],
      ['/api/browse?limit=1e3', 'limit'],
      ['/api/browse?limit=99999999999999999999', 'limit'],
      ['/api/browse?limit=1&limit=2', 'limit'],
      ['/api/browse?provider=a&provider=b', 'provider'],
      ['/api/browse?state=toString', 'state'],
      ['/api/inspect', 'name'],
      ['/api/search', 'query'],
      ['/api/search?query=x&exact=perhaps', 'exact'],
      ['/api/audit?follow=true', 'follow'],
      ['/api/doctor?sandbox=true', 'sandbox'],
    ];
    for (const [path, field] of asked) {
      const { status, code, message } = await errorOf(await console.ask(path));
      expect([path, status, code]).toEqual([path, 400, 'usage']);
      expect(message).toContain(`'${field}'`);
    }
    const sent: readonly [string, unknown, string][] = [
      ['/api/run', {}, 'target'],
      ['/api/run', { target: ['a'] }, 'target'],
      ['/api/run', { target: 'demo:say', args: ['x'] }, 'args'],
      ['/api/run', { target: 'demo:say', stdin: true }, 'stdin'],
      ['/api/run', { target: 'demo:say', dryRun: 'perhaps' }, 'dryRun'],
      ['/api/run', { target: 'demo:say', dryRun: 'yes' }, 'dryRun'],
      ['/api/run', { target: 'demo:say', dryRun: 'true' }, 'dryRun'],
      ['/api/run', { target: 'demo:say', head: ' 5 ' }, 'head'],
      ['/api/run', { target: 'demo:say', param: 'word=x' }, 'param'],
      ['/api/revoke', { all: 'on' }, 'all'],
      ['/api/run', { target: 'demo:say', param: [1] }, 'param[0]'],
      ['/api/grant', { skill: 'asking', yes: false }, 'yes'],
      ['/api/grant', { skill: 'asking', only: [{}] }, 'only[0]'],
      ['/api/revoke', { all: 1 }, 'all'],
      ['/api/cancel', {}, 'key'],
      ['/api/cancel', { key: 1 }, 'key'],
      ['/api/cancel', { key: 'x', more: 1 }, 'more'],
      ['/api/session', { token: 1 }, 'token'],
      ['/api/session', { token: 'x', more: 1 }, 'more'],
      ['/api/grant', JSON.parse('{"skill":"asking","__proto__":{"x":1}}'), '__proto__'],
    ];
    for (const [path, body, field] of sent) {
      const { status, message } = await errorOf(await console.post(path, body));
      expect([path, status, message]).toEqual([path, 400, expect.stringContaining(`'${field}'`)]);
    }
    for (const name of [
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'Browse',
      'browse/',
      '',
      '%62rowse',
    ]) {
      expect([name, (await console.ask(`/api/${name}`)).status]).toEqual([name, 404]);
      expect([name, (await console.post(`/api/${name}`, {})).status]).toEqual([name, 404]);
    }
    expect((await errorOf(await console.post('/api/cancel', { key: '../../audit' }))).status).toBe(404);
  });

  it('are answered in clear words when their body is no JSON, or too large', async () => {
    const console = await serveConsole(everySort());
    const send = (body: string | Buffer, path = '/api/run'): Promise<{ status: number | undefined; text: string }> =>
      console.plain(path, { method: 'POST', headers: { ...json, ...bearer(console) } }, body);
    for (const body of ['', '{', '[]', 'null', '"x"', '1', '{"a":}', '\0', Buffer.from([0xff, 0xfe])]) {
      expect((await send(body)).status, String(body)).toBe(400);
    }
    expect((await send('['.repeat(100_000))).status).toBe(400);
    const deep = await send(`{"target":${'['.repeat(6000)}${']'.repeat(6000)}}`);
    expect([deep.status, deep.text]).toEqual([400, expect.stringContaining("'target' must be a string, not a list")]);
    expect((await send(`{"target":"${'x'.repeat(4_500_000)}"}`)).status).toBe(413);
    expect((await send(`{"token":"${'x'.repeat(5000)}"}`, '/api/session')).status).toBe(413);
    const chunked = await fetch(`${console.url}/api/run`, {
      method: 'POST',
      headers: { ...json, ...bearer(console) },
      body: new Blob(['{"target":"', 'x'.repeat(5_000_000), '"}']).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(await errorOf(chunked)).toMatchObject({ status: 413, code: 'too-large' });
    expect((await console.ask('/api/session')).status).toBe(200);
  });

  it('never get anything but the form of an answer or of an error, whatever is typed', async () => {
    const console = await serveConsole(everySort());
    const api = await described();
    const names = operationsIn(api).flatMap(({ path, method, operation }) =>
      method === 'GET' && path !== '/api/events' && path !== '/api/file' ? [{ path, operation }] : [],
    );
    const word = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom('demo', 'SKILL.md', '1', 'true'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.array(fc.tuple(fc.nat(), word), { maxLength: 4 }),
        async (one, given) => {
          const fields = one.operation.parameters ?? [];
          const query = new URLSearchParams();
          for (const [at, text] of given) query.append(fields[at % fields.length]?.name ?? text, text);
          const answer = await console.ask(`${one.path}?${query.toString()}`);
          const value: unknown = await answer.json();
          const schema =
            answer.status === 200 ? one.operation.responses['200']?.content['application/json']?.schema : null;
          expect(answer.status, `${one.path} ${query.toString()}`).toBeLessThan(500);
          expect(problemsWith(api, schema ?? { $ref: '#/components/schemas/Error' }, value)).toEqual([]);
        },
      ),
      { numRuns: 80 },
    );
  });

  it('put nothing into headers through names', async () => {
    const world = everySort();
    const name = 'a\r\nX-Planted: 1\r\n\r\n<script>';
    world.write(`project/.claude/skills/demo/assets/${encodeURIComponent(name)}.png`, 'x');
    const console = await serveConsole(world);
    const tail = new URLSearchParams({ name, path: name }).toString();
    for (const path of [`/api/file?${tail}`, `/api/read?${tail}`, `/api/why?name=${encodeURIComponent(name)}`]) {
      const answer = await console.plain(path, { headers: bearer(console) });
      expect(answer.headers['x-planted']).toBeUndefined();
      expect(answer.headers['content-type']).toBe('application/json');
    }
  });
});
