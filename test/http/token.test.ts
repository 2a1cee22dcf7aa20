import { describe, expect, it } from 'vitest';
import { messageOf, serve } from './server.ts';

const token = 'a-token-of-a-fair-length';

describe('the token', () => {
  it.each([
    ['nothing', {}],
    ['another scheme', { authorization: `Basic ${token}` }],
    ['no scheme', { authorization: token }],
    ['an empty one', { authorization: 'Bearer' }],
    ['two', { authorization: `Bearer ${token} ${token}` }],
    ['a cookie', { cookie: `token=${token}` }],
  ])('is required: %s will not do', async (_, headers) => {
    const { ask, lines } = await serve({ token });
    const answer = await ask(`/mcp?token=${token}&access_token=${token}`, { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(messageOf(answer)).toContain('Authorization: Bearer');
    expect(JSON.stringify(lines())).not.toContain(token);
  });

  it.each([`${token}x`, token.slice(0, -1), token.toUpperCase(), 'x'])('is refused as %s', async (wrong) => {
    const { ask, lines } = await serve({ token });
    const answer = await ask('/mcp', { headers: { authorization: `Bearer ${wrong}` } });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    expect(JSON.stringify(lines())).not.toContain(` ${wrong}`);
    expect(answer.text).not.toContain(token);
  });

  it.each(['Bearer', 'bearer', 'BEARER', 'Bearer  '])('is accepted after %j', async (scheme) => {
    const { ask, lines } = await serve({ token });
    const answer = await ask('/mcp?secret=1', { headers: { authorization: `${scheme} ${token}` } });
    expect(answer.text).toBe('hello');
    expect(JSON.stringify(lines())).not.toMatch(new RegExp(`${token}|secret`));
  });

  it('is not needed for health, nor to learn that nothing is served at a path', async () => {
    const { ask } = await serve({ token });
    const health = await ask('/healthz');
    expect([health.status, health.text]).toEqual([200, '{"status":"ok"}']);
    expect((await ask('/.well-known/oauth-protected-resource')).status).toBe(404);
    expect((await ask('/healthz/../mcp')).status).toBe(404);
  });

  it('cannot be guessed for long: after twenty wrong ones the next has to wait, and the right one is let in', async () => {
    const { ask, lines } = await serve({ token });
    const bearer = (text: string) => ({ headers: { authorization: `Bearer ${text}` } });
    for (let at = 0; at < 20; at++) expect((await ask('/mcp', bearer(`guess-${at}`))).status).toBe(401);
    const answer = await ask('/mcp', bearer('guess-20'));
    expect([answer.status, messageOf(answer)]).toEqual([429, 'too many wrong tokens came from there; try again later']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await ask('/mcp', bearer(token))).text).toBe('hello');
    expect((await ask('/mcp', { ...bearer(token), localAddress: '127.0.0.2' })).text).toBe('hello');
    expect(lines().filter(({ level }) => level === 'warn').length).toBeLessThan(25);
  });
});
