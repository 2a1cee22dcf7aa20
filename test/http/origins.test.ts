import { describe, expect, it } from 'vitest';
import { messageOf, serve } from './server.ts';

const token = 'a-token-of-a-fair-length';
const authorization = `Bearer ${token}`;

describe('the Origin header', () => {
  it.each([
    'null',
    '',
    'https://evil.example',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example:80',
    'http://127.0.0.1@evil.example',
    'http://localhost:80@evil.example',
    'http://evil.example#localhost',
    'http://localhost/',
    'http://2130706433',
    'http://0.0.0.0',
    'file://localhost',
    'file://',
    'chrome-extension://abcdef',
    'ftp://localhost',
    'localhost',
    '//localhost',
    'http:localhost',
    'http://localhost, http://evil.example',
    'http://localhost http://evil.example',
    'data:text/html,x',
  ])('is refused as %j', async (origin) => {
    const { ask } = await serve();
    const answer = await ask('/mcp', { headers: { origin } });
    expect(answer.status).toBe(403);
    expect(messageOf(answer)).toContain('Origin');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it.each(['http://localhost', 'http://localhost:6274', 'https://127.0.0.1:1', 'http://[::1]:9', 'http://127.8.8.8'])(
    'is accepted as %s, which may call but not read',
    async (origin) => {
      const { ask } = await serve();
      const answer = await ask('/mcp', { headers: { origin } });
      expect(answer.text).toBe('hello');
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  it('is refused twice over', async () => {
    const { raw } = await serve();
    const text = 'GET /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nOrigin: http://localhost\r\n\r\n';
    expect(await raw(text.replace(/\r\n$/, 'Connection: close\r\n\r\n'))).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('is checked for the health path, and beyond loopback with the right token', async () => {
    const { ask } = await serve({ host: '0.0.0.0', token });
    const headers = { authorization, origin: 'https://evil.example' };
    expect((await ask('/mcp', { headers })).status).toBe(403);
    expect((await ask('/healthz', { headers })).status).toBe(403);
  });

  it('may be the very place that was asked', async () => {
    const { ask } = await serve({ allowedHosts: ['skills.example.com'] });
    const statusOf = async (host: string, origin: string) => (await ask('/mcp', { headers: { host, origin } })).status;
    expect(await statusOf('skills.example.com', 'https://skills.example.com')).toBe(200);
    expect(await statusOf('skills.example.com:81', 'http://Skills.example.com:81')).toBe(200);
    expect(await statusOf('skills.example.com:81', 'http://skills.example.com:82')).toBe(403);
    expect(await statusOf('localhost', 'https://skills.example.com')).toBe(403);
  });

  it('may be missing, but not for what a stranger page fetches', async () => {
    const { ask } = await serve();
    const from = async (site: string, mode: string) =>
      (await ask('/mcp', { headers: { 'sec-fetch-site': site, 'sec-fetch-mode': mode } })).status;
    expect(await from('cross-site', 'no-cors')).toBe(403);
    expect(await from('cross-site', 'navigate')).toBe(200);
    expect(await from('same-origin', 'cors')).toBe(200);
    expect(await from('none', 'navigate')).toBe(200);
  });
});

describe('pages that the person allowed', () => {
  const origin = 'https://app.example.com';

  it('may read every answer, refusals as well', async () => {
    const { ask } = await serve({ allowedOrigins: ['https://App.example.com:443/'], token });
    const answer = await ask('/mcp', { headers: { origin, authorization } });
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
    expect(answer.headers['access-control-expose-headers']).toContain('Mcp-Session-Id');
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    expect(answer.headers.vary).toBe('Origin');
    const refused = await ask('/mcp', { headers: { origin } });
    expect(refused.status).toBe(401);
    expect(refused.headers['access-control-allow-origin']).toBe(origin);
    for (const other of ['http://app.example.com', 'https://app.example.com:444', 'https://x.app.example.com']) {
      expect((await ask('/mcp', { headers: { origin: other, authorization } })).status).toBe(403);
    }
  });

  it('may ask beforehand, without the token', async () => {
    const { ask } = await serve({ allowedOrigins: [origin, 'http://localhost:6274', 'vscode-webview://abc'], token });
    const before = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'mcp-session-id' };
    for (const page of [origin, 'http://localhost:6274', 'vscode-webview://abc']) {
      const answer = await ask('/mcp', { method: 'OPTIONS', headers: { origin: page, ...before } });
      expect(answer.status).toBe(204);
      expect(answer.headers['access-control-allow-origin']).toBe(page);
      expect(answer.headers['access-control-allow-methods']).toBe('GET, POST, DELETE, OPTIONS');
      const allowed = String(answer.headers['access-control-allow-headers']).toLowerCase().split(', ');
      expect(allowed.sort()).toEqual([
        'accept',
        'authorization',
        'content-type',
        'last-event-id',
        'mcp-method',
        'mcp-name',
        'mcp-protocol-version',
        'mcp-session-id',
      ]);
      expect(answer.headers['access-control-allow-private-network']).toBeUndefined();
    }
    const asking = { origin, ...before, 'access-control-request-private-network': 'true' };
    const answer = await ask('/mcp', { method: 'OPTIONS', headers: asking });
    expect(answer.headers['access-control-allow-private-network']).toBe('true');
  });

  it('are the only ones that may', async () => {
    const { ask } = await serve({ allowedOrigins: [origin] });
    for (const other of ['http://localhost:6274', 'https://evil.example', 'null']) {
      const headers = { origin: other, 'access-control-request-method': 'POST' };
      const answer = await ask('/mcp', { method: 'OPTIONS', headers });
      expect(answer.status).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});
