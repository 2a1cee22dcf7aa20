import { mkdirSync, readdirSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OutputOutput } from '../../src/engine/operations/running/output.ts';
import type { RunEvent } from '../../src/faces/web/shapes.ts';
import { keepOutput, type OutputQuota, outputsFolder, pruneOutputs, readOutput } from '../../src/run/output/kept.ts';
import { environmentOf } from '../activity/log.ts';
import { lab } from '../execute/library.ts';
import { type ServedConsole, serveConsole } from '../support/console.ts';
import { temporaryPlace } from '../support/place.ts';
import { createWorld } from '../support/world.ts';
import { answerOf, described, problemsWith } from './described.ts';
import { pixel } from './worlds.ts';

type End = Extract<RunEvent, { readonly event: 'end' }>;

/** Runs a tool to its end. */
async function ended(
  served: ServedConsole,
  tool: string,
): Promise<{ readonly end: End; readonly lines: readonly RunEvent[] }> {
  const lines = await served.run({ target: `lab:${tool}` });
  const end = lines.at(-1);
  if (end?.event !== 'end') throw new Error(JSON.stringify(end));
  return { end, lines };
}

const download = async (served: ServedConsole, query: string): Promise<Buffer> =>
  Buffer.from(await (await served.ask(`/api/download?${query}`)).arrayBuffer());

describe('output of runs on a server', () => {
  it('is kept as it came, for this user alone, and told and sent as a file', async () => {
    const world = lab({ both: 'echo first; echo second >&2; printf "th\\351\\033[31mird"' });
    const served = await serveConsole(world);
    const { end } = await ended(served, 'both');
    const { id } = end.result;
    const told = await served.told<OutputOutput>(`/api/output?id=${id}`);
    const api = await described();
    expect(problemsWith(api, answerOf(api, '/api/output'), told)).toEqual([]);
    // Between two pipes there is no order but that in which the server came to read them.
    const written = (stream: string): string =>
      told.pieces.flatMap((piece) => (piece.stream === stream ? piece.text : [])).join('');
    expect([written('stdout'), written('stderr')]).toEqual(['first\nth\ufffd\u001b[31mird', 'second\n']);
    expect(told).toMatchObject({ stdoutBytes: 17, stderrBytes: 7, before: 0, leftOut: 0, picture: null });
    expect(end.kept).toMatchObject({ stdoutBytes: 17, stderrBytes: 7 });
    expect(await download(served, `id=${id}`)).toHaveLength(24);
    const stdout = await download(served, `id=${id}&stream=stdout`);
    expect(stdout.toString('latin1')).toBe('first\nth\xe9\x1b[31mird');
    expect((await download(served, `id=${id}&stream=stderr`)).toString()).toBe('second\n');
    const sent = await served.ask(`/api/download?id=${id}`);
    expect(sent.headers.get('content-disposition')).toBe(`attachment; filename="${id}.txt"`);
    expect(sent.headers.get('content-security-policy')).toContain('sandbox');
    const folder = outputsFolder(environmentOf(world));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600]);
    const tail = await served.told<OutputOutput>(`/api/output?id=${id}&limit=4&stream=stdout`);
    expect([tail.before, tail.pieces]).toEqual([13, [{ stream: 'stdout', text: 'mird' }]]);
    expect((await world.run(['output', id, '--stream', 'stderr'])).stdout).toBe('second\n');
  });

  it('is counted in bytes that were written, and the same everywhere', async () => {
    const served = await serveConsole(lab({ binary: 'head -c 4096 /dev/urandom; printf 123 >&2' }));
    const { end, lines } = await ended(served, 'binary');
    const bytes = lines.reduce((sum, line) => sum + (line.event === 'output' ? line.bytes : 0), 0);
    const { stdoutBytes = 0, stderrBytes = 0 } = end.kept ?? {};
    expect([bytes, end.record?.outputBytes, stdoutBytes + stderrBytes]).toEqual([4099, 4099, 4099]);
    expect((await download(served, `id=${end.result.id}&stream=stdout`)).length).toBe(4096);
  });

  it('is kept without secrets, as everybody else gets it', async () => {
    const world = lab({ leak: 'echo "it is $API_TOKEN"' }, '[capabilities]\nsecrets = ["API_TOKEN"]');
    const value = 'hunter2-hunter2-hunter2';
    await world.run(['grant', 'lab', '--yes']);
    const served = await serveConsole(world, { env: { API_TOKEN: value } });
    const { end } = await ended(served, 'leak');
    expect(end.result.stdout).toContain('it is ');
    const kept = (await download(served, `id=${end.result.id}`)).toString();
    expect([kept.includes('it is'), kept.includes('hunter2')]).toEqual([true, false]);
  });

  it('that is a picture is sent as one, and as nothing else', async () => {
    const world = lab({
      draw: `printf %s '${pixel.toString('base64')}' | base64 -d`,
      page: 'echo "<script>alert(1)</script>"',
    });
    const served = await serveConsole(world);
    const [drawn, page] = [await ended(served, 'draw'), await ended(served, 'page')];
    expect([drawn.end.kept?.picture, page.end.kept?.picture]).toEqual(['image/png', null]);
    const picture = await served.ask(`/api/download?id=${drawn.end.result.id}&picture=true`);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(pixel);
    const text = await served.ask(`/api/download?id=${page.end.result.id}&picture=true`);
    expect([text.headers.get('content-type'), text.headers.get('content-disposition')]).toEqual([
      'application/octet-stream',
      expect.stringMatching(/^attachment/),
    ]);
  });

  it('is for those who may act: a console for reading has none of it', async () => {
    const world = lab({ say: 'echo hi' });
    const full = await serveConsole(world);
    const { id } = (await ended(full, 'say')).end.result;
    const reading = await serveConsole(world, { args: ['--console', 'read'] });
    for (const path of [`/api/output?id=${id}`, `/api/download?id=${id}`]) {
      expect((await reading.ask(path)).status).toBe(403);
      expect((await full.plain(path)).status).toBe(401);
    }
    const { paths } = await reading.told<{ paths: object }>('/api/openapi.json');
    expect(Object.keys(paths).filter((path) => /output|download/.test(path))).toEqual([]);
  });

  it('is found by an id and by no other path, and never through a link', async () => {
    const world = lab({ say: 'echo hi' });
    const served = await serveConsole(world);
    const { id } = (await ended(served, 'say')).end.result;
    const folder = outputsFolder(environmentOf(world));
    const other = '00000000-0000-4000-8000-000000000000';
    renameSync(join(folder, `${id}.output`), join(folder, '..', 'elsewhere.output'));
    symlinkSync(join(folder, '..', 'elsewhere.output'), join(folder, `${other}.output`));
    for (const wrong of [id, other, '../elsewhere', '..%2felsewhere', '']) {
      const status = (await served.ask(`/api/download?id=${wrong}`)).status;
      expect([wrong, [404, 400].includes(status)]).toEqual([wrong, true]);
    }
  });

  it('is not kept where that is turned off, nor by the command line, which has printed it', async () => {
    const world = lab({ say: 'echo hi' });
    const served = await serveConsole(world, { args: ['--no-keep-output'] });
    const { end } = await ended(served, 'say');
    expect(end.kept).toBe(null);
    expect((await served.ask(`/api/output?id=${end.result.id}`)).status).toBe(404);
    await world.run(['run', 'lab:say']);
    expect(() => readdirSync(outputsFolder(environmentOf(world)))).toThrow('ENOENT');
  });
});

const tiny: OutputQuota = { oneBytes: 10, executions: 3, bytes: 1000, ageMs: 60_000 };
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

describe('the quota of kept output', () => {
  it('cuts one execution, and says how much is left out', () => {
    const environment = environmentOf(createWorld());
    const keeper = keepOutput(environment, idOf(1), tiny);
    keeper.add('stdout', Buffer.from('12345678'));
    keeper.add('stderr', Buffer.from('abcdef'));
    keeper.add('stdout', Buffer.from('more'));
    keeper.close();
    const kept = readOutput(environment, idOf(1), tiny);
    expect(kept?.pieces.map(({ stream, bytes }) => [stream, Buffer.from(bytes).toString()])).toEqual([
      ['stdout', '12345678'],
      ['stderr', 'ab'],
    ]);
    expect(kept?.leftOut).toBe(8);
  });

  it('removes what is too old, too many or too much, the oldest first', () => {
    const place = temporaryPlace();
    const now = Date.now();
    const put = (name: string, bytes: number, ageMs: number): void => {
      writeFileSync(join(place, name), Buffer.alloc(bytes));
      utimesSync(join(place, name), (now - ageMs) / 1000, (now - ageMs) / 1000);
    };
    const left = (): string[] => readdirSync(place).sort();
    put('old', 1, 61_000);
    put('newest', 1, 1000);
    pruneOutputs(place, tiny, now);
    expect(left()).toEqual(['newest']);
    for (const [age, name] of ['b', 'c', 'd'].entries()) put(name, 1, 2000 + age);
    pruneOutputs(place, tiny, now);
    expect(left()).toEqual(['b', 'c', 'newest']);
    put('large', 999, 1500);
    pruneOutputs(place, tiny, now);
    expect(left()).toEqual(['large', 'newest']);
  });

  it('holds for a run that ends without its process, and the rest of a torn file is read', () => {
    const environment = environmentOf(createWorld());
    const folder = outputsFolder(environment);
    mkdirSync(folder, { recursive: true });
    const torn = Buffer.concat([
      Buffer.from([1, 0, 0, 0, 2]),
      Buffer.from('ok'),
      Buffer.from([2, 0, 0, 1, 0]),
      Buffer.from('half'),
    ]);
    writeFileSync(join(folder, `${idOf(2)}.output`), torn);
    expect(readOutput(environment, idOf(2))?.pieces.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['ok']);
  });
});
