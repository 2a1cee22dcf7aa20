import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { InspectOutput } from '../../src/engine/operations/skills/inspect.ts';
import type { ErrorBody, RunEvent } from '../../src/faces/web/shapes.ts';
import { type ServedConsole, serveConsole } from '../support/console.ts';
import { answerOf, type Described, described, problemsWith } from './described.ts';
import { everySort, pixel } from './worlds.ts';

/** Asks, and holds what is answered against its description. */
async function checked<T>(console: ServedConsole, api: Described, path: string): Promise<T> {
  const value = await console.told<T>(path);
  expect(problemsWith(api, answerOf(api, path.split('?')[0] ?? ''), value), path).toEqual([]);
  return value;
}

async function acted<T>(console: ServedConsole, api: Described, path: string, body: unknown): Promise<T> {
  const answer = await console.post(path, body);
  expect([answer.status, path]).toEqual([200, path]);
  const value = (await answer.json()) as T;
  expect(problemsWith(api, answerOf(api, path), value), path).toEqual([]);
  return value;
}

/** An error, which must have the form that all have. */
async function failed(api: Described, answer: Response): Promise<ErrorBody['error']> {
  const body = (await answer.json()) as ErrorBody;
  expect(problemsWith(api, { $ref: '#/components/schemas/Error' }, body)).toEqual([]);
  return body.error;
}

const linesOf = async (console: ServedConsole, api: Described, body: unknown): Promise<readonly RunEvent[]> => {
  const lines = await console.run(body);
  for (const line of lines) {
    expect(problemsWith(api, { $ref: '#/components/schemas/RunEvent' }, line), JSON.stringify(line)).toEqual([]);
  }
  return lines;
};

const asked = [
  '/api/browse',
  '/api/browse?state=repaired&limit=1',
  '/api/browse?provider=claude&runtime=native',
  '/api/browse?offset=1000',
  '/api/search?query=count+words',
  '/api/search?query=count+words&explain=true',
  '/api/search?query=demo&exact=true',
  '/api/search?query=xyzzy&provider=codex',
  '/api/inspect?name=demo',
  '/api/inspect?name=asking',
  '/api/inspect?name=crooked',
  '/api/inspect?name=mended',
  '/api/inspect?name=claude:twin',
  '/api/read?name=demo&path=SKILL.md',
  '/api/read?name=demo&path=assets/a.png',
  '/api/why?name=demo',
  '/api/why?name=twin',
  '/api/why?name=broken',
  '/api/why?name=nothing',
  '/api/tools',
  '/api/tools?skill=demo',
  '/api/tools?skill=mended',
  '/api/grants',
  '/api/audit',
  '/api/audit?action=verify',
  '/api/activity',
  '/api/statistics',
  '/api/statistics?since=1h',
  '/api/doctor',
  '/api/doctor?agent=claude-code',
  '/api/doctor?agent=codex',
  '/api/health',
  '/api/session',
] as const;

describe('the API', () => {
  it('answers as its description says, whatever the skills are like', async () => {
    const console = await serveConsole(everySort());
    const api = await described();
    for (const path of asked) await checked(console, api, path);
    expect(await console.told('/api/openapi.json')).toEqual(JSON.parse(JSON.stringify(api)));
  });

  it('answers as its description says in a world without skills', async () => {
    const world = everySort();
    const console = await serveConsole(world, { args: ['--exclude', '*'] });
    const api = await described();
    const without = asked.filter((path) => !path.includes('name=') && !path.includes('skill='));
    for (const path of without) await checked(console, api, path);
  });

  it('runs, denies, grants and revokes as its description says', async () => {
    const world = everySort();
    const console = await serveConsole(world);
    const api = await described();
    const run = (body: unknown): Promise<unknown> => acted(console, api, '/api/run', body);
    expect(await run({ target: 'demo:say', param: ['word=hello'] })).toMatchObject({ stdout: 'hello\n', exitCode: 0 });
    expect(await run({ target: 'demo:say', params: '{"word":"hi"}', dryRun: true })).toMatchObject({ tool: 'say' });
    expect(await run({ target: 'demo:count', jq: '.words' })).toMatchObject({ value: [1, 2, 3] });
    expect(await run({ target: 'demo:fail' })).toMatchObject({ exitCode: 3, stderr: 'gone wrong\n' });
    expect(await run({ target: 'asking:reach' })).toMatchObject({ reason: 'denied' });

    const before = await checked<InspectOutput>(console, api, '/api/inspect?name=asking');
    expect(before.permissions).toMatchObject({ grant: null, impossible: null });
    const granted = { skill: 'asking', only: ['network'], expected: before.digest };
    expect(await acted(console, api, '/api/grant', granted)).toMatchObject({
      granted: true,
      items: [
        { key: 'network:api.example.com', granted: true },
        { key: 'env:TIMEZONE', granted: false },
      ],
    });
    await checked(console, api, '/api/grants');
    world.write('project/.claude/skills/asking/more.txt', 'changed');
    const after = await checked<InspectOutput>(console, api, '/api/inspect?name=asking');
    expect(after.permissions.grant).toMatchObject({ valid: false });
    expect(await checked(console, api, '/api/grants')).toMatchObject({ grants: [{ valid: false }] });
    const late = await console.post('/api/grant', granted);
    expect(late.status).toBeGreaterThanOrEqual(400);
    await failed(api, late);
    expect(await acted(console, api, '/api/revoke', { skill: 'asking' })).toEqual({ revoked: ['asking'] });

    for (const path of asked) await checked(console, api, path);
    const { executions } = await console.told<{ executions: { by: string; result: string }[] }>('/api/audit');
    expect(executions.map(({ by }) => by)).toEqual(executions.map(() => 'console'));
    expect(executions.map(({ result }) => result)).toEqual([
      'exited',
      'exited',
      'exited',
      'denied',
      'granted',
      'revoked',
    ]);
  });

  it('tells what a run does as it happens, and what the audit log has of it', async () => {
    const console = await serveConsole(everySort());
    const api = await described();
    const lines = await linesOf(console, api, { target: 'demo:say', param: ['word=é😀'] });
    expect(lines[0]).toMatchObject({ event: 'start', key: expect.any(String) });
    const written = lines.flatMap((line) => (line.event === 'output' ? [line.text] : []));
    expect(written.join('')).toBe('é😀\n');
    expect(lines.some(({ event }) => event === 'usage')).toBe(true);
    const end = lines.at(-1);
    if (end?.event !== 'end') throw new Error(`it ended with ${JSON.stringify(end)}`);
    expect(end.record).toMatchObject({ id: end.result.id, by: 'console', result: 'exited', event: 'end' });

    const denied = await linesOf(console, api, { target: 'asking:reach' });
    expect(denied.at(-1)).toMatchObject({ event: 'end', result: { reason: 'denied' }, record: { result: 'denied' } });
    const planned = await linesOf(console, api, { target: 'demo:count', dryRun: true });
    expect(planned.map(({ event }) => event)).toEqual(['start', 'plan']);
    const wrong = await linesOf(console, api, { target: 'demo:nothing' });
    expect(wrong.at(-1)).toMatchObject({ event: 'error', error: { code: 'not-found' } });
    const { executions } = await console.told<{ executions: object[] }>('/api/audit?result=not_found');
    expect(executions).toMatchObject([{ skill: 'demo', tool: 'nothing', by: 'console' }]);
  });

  it('breaks off a run when it is told to, and when nobody is there any more', async () => {
    const world = everySort();
    const console = await serveConsole(world);
    const start = async (signal?: AbortSignal): Promise<[string, ReadableStreamDefaultReader<Uint8Array>]> => {
      const init = { headers: { Accept: 'application/x-ndjson' }, ...(signal && { signal }) };
      const { body } = await console.post('/api/run', { target: 'demo:wait' }, init);
      if (body === null) throw new Error('nothing came');
      const reader = body.getReader();
      let text = '';
      while (!text.includes('waiting')) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`it ended too soon: ${text}`);
        text += new TextDecoder().decode(value);
      }
      return [(JSON.parse(text.split('\n')[0] ?? '') as { key: string }).key, reader];
    };
    const results = async (): Promise<string[]> => {
      const { executions } = await console.told<{ executions: { result: string }[] }>('/api/audit');
      return executions.map(({ result }) => result);
    };

    const [key, reader] = await start();
    expect((await console.post('/api/cancel', { key })).status).toBe(200);
    while (!(await reader.read()).done);
    expect(await results()).toEqual(['cancelled']);
    const again = await console.post('/api/cancel', { key });
    expect([again.status, (await failed(await described(), again)).code]).toEqual([404, 'not-found']);

    const leaving = new AbortController();
    await start(leaving.signal);
    expect((await results()).sort()).toEqual(['cancelled', 'running']);
    leaving.abort();
    while ((await results()).includes('running')) await sleep(50);
    expect(await results()).toEqual(['cancelled', 'cancelled']);

    // The same for one who waits for the end and no lines.
    const waiting = new AbortController();
    const whole = console.post('/api/run', { target: 'demo:wait' }, { signal: waiting.signal }).catch(() => 'gone');
    while (!(await results()).includes('running')) await sleep(50);
    waiting.abort();
    expect(await whole).toBe('gone');
    while ((await results()).includes('running')) await sleep(50);
    expect(await results()).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  it('keeps runs at the same time apart', async () => {
    const console = await serveConsole(everySort());
    const words = Array.from({ length: 6 }, (_, at) => `word-${at}`);
    const all = await Promise.all(words.map((word) => console.run({ target: 'demo:say', param: [`word=${word}`] })));
    for (const [at, lines] of all.entries()) {
      const end = lines.at(-1);
      expect(end?.event === 'end' && end.result.stdout).toBe(`word-${at}\n`);
    }
    const keys = all.map(([first]) => (first?.event === 'start' ? first.key : ''));
    expect(new Set(keys).size).toBe(words.length);
  });

  it('tells open pages what happens', async () => {
    const world = everySort();
    const console = await serveConsole(world);
    const api = await described();
    const events = await console.events();
    await sleep(200);
    await console.post('/api/run', { target: 'demo:say', param: ['word=x'] });
    await events.until((event) => event.type === 'execution' && event.row.event === 'end');
    await console.post('/api/grant', { skill: 'asking' });
    await events.until(({ type }) => type === 'grants');
    world.skill('project/.claude/skills/fresh');
    await events.until(({ type }) => type === 'skills');
    await console.told('/api/search?query=fresh');
    await events.until((event) => event.type === 'activity' && event.row.what === 'searched');
    for (const event of events.told) {
      expect(problemsWith(api, { $ref: '#/components/schemas/LiveEvent' }, event), JSON.stringify(event)).toEqual([]);
    }
  });

  it('sends pictures as they are, and nothing else', async () => {
    const console = await serveConsole(everySort());
    const file = (path: string): Promise<Response> =>
      console.ask(`/api/file?name=demo&path=${encodeURIComponent(path)}`);
    const picture = await file('assets/a.png');
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(pixel);
    expect(picture.headers.get('content-security-policy')).toContain('sandbox');
    for (const path of ['assets/b.svg', 'assets/c.html', 'SKILL.md', 'scripts/wait.sh']) {
      const refused = await file(path);
      expect([path, refused.status, refused.headers.get('content-type')]).toEqual([path, 400, 'application/json']);
    }
    // A name says nothing of what is inside: it is sent as what its name says, which cannot script.
    const fake = await file('assets/fake.png');
    expect([400, 200]).toContain(fake.status);
    expect(fake.headers.get('content-type')).not.toContain('html');
    expect(fake.headers.get('x-content-type-options')).toBe('nosniff');
  });
});
