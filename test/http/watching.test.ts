import { expect, it } from 'vitest';
import { callOf, lab } from '../execute/library.ts';
import { ask, openSession } from '../serve/http.ts';
import { startAuthorizationServer } from '../support/authorization-server.ts';
import { startHttp } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';

/** The values of a text for Prometheus by name and labels, each line of which must be well-formed. */
function valuesIn(text: string): Map<string, number> {
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => !/^# (?:HELP \w+ .+|TYPE \w+ (?:counter|gauge|histogram))$/.test(line));
  return new Map(
    lines.map((line) => {
      const [, name = '', value = ''] = /^(\w+(?:\{\w+="[^"\n]*"(?:,\w+="[^"\n]*")*\})?) (\S+)$/.exec(line) ?? [];
      expect(name, line).not.toBe('');
      return [name, Number(value)];
    }),
  );
}

it('/metrics gives Prometheus what was asked, run and refused', async () => {
  const { url } = await startHttp(lab({ hello: 'echo hello', fail: 'exit 3' }));
  const session = await openSession(url);
  for (const name of ['hello', 'hello', 'fail']) await session.request('tools/call', callOf(name));
  await ask(url, { method: 'PUT' });
  const { headers, text } = await ask(new URL('/metrics', url).href, { method: 'GET' });
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  const values = valuesIn(text);
  const finished = ['exited', 'failed'].map(
    (result) => values.get(`repertoire_executions_total{result="${result}"}`) ?? 0,
  );
  expect(finished.reduce((sum, one) => sum + one)).toBe(3);
  expect(values.get('repertoire_skills')).toBe(1);
  expect(values.get('repertoire_sessions')).toBe(1);
  expect(values.get('repertoire_http_requests_total{status="405"}')).toBe(1);
  expect(values.get('repertoire_http_request_duration_seconds_bucket{le="+Inf"}')).toBe(
    values.get('repertoire_http_request_duration_seconds_count'),
  );
  expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
});

it('/metrics is refused without a token, and to callers that are not operators', async () => {
  const authorization = await startAuthorizationServer();
  const token = 'a-token-for-machines-1234';
  const options = ['--auth-token', token, '--oauth-issuer', authorization.issuer];
  const { url } = await startHttp(createWorld(), ['serve', '--transport', 'http', ...options]);
  const asking = async (bearer?: string) => {
    const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    return (await ask(new URL('/metrics', url).href, { method: 'GET', headers })).status;
  };
  expect(await asking()).toBe(401);
  expect(await asking(token)).toBe(200);
  expect(await asking(await authorization.token('ann', url, 'skills:read skills:run'))).toBe(403);
});

it('the readiness probe succeeds once the skills have been read, and needs no token', async () => {
  const { url } = await startHttp(createWorld(), [
    'serve',
    '--transport',
    'http',
    '--auth-token',
    'a-token-for-machines-1234',
  ]);
  const ready = () => ask(new URL('/readyz', url).href, { method: 'GET' });
  await expect.poll(async () => (await ready()).text).toBe('{"status":"ready"}');
  expect((await ready()).status).toBe(200);
});
