import { describe, expect, it } from 'vitest';
import { base64, key, limits, serving, text } from '../../../test/support/embedder.ts';
import { answerWith, type Respond, startEmbeddingsService } from '../../../test/support/embeddings-service.ts';
import { createHttpEmbedder, type HttpLimits } from './http.ts';

/** Makes a request fail, and checks that the error, whatever went wrong, holds no secret. */
async function failing(respond: Respond, given: HttpLimits = limits): Promise<{ report: string; asked: number }> {
  const { service, embedder } = await serving(respond, { given });
  const error: unknown = await embedder.query(text).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ name: 'SkillError', code: 'unreadable' });
  expect(error).not.toHaveProperty('cause');
  const { message, hint } = error as { message: string; hint: string };
  expect(message).toContain(`${service.url}/embeddings`);
  expect(hint).toContain('Without embeddings_url');
  const report = `${message} ${hint}`;
  for (const secret of [key, text]) expect(report).not.toContain(secret);
  return { report, asked: service.requests.length };
}

describe('a service in trouble', () => {
  it.each([429, 500, 503])('is asked again after %d', async (status) => {
    const { service, embedder } = await serving((_, number) => (number < 3 ? { status } : answerWith([[1]])));
    expect(await embedder.query(text)).toHaveLength(16);
    expect(service.requests).toHaveLength(3);
  });

  it('is asked again after it hung up', async () => {
    const { service, embedder } = await serving((_, number) => (number < 3 ? null : answerWith([[1]])));
    expect(await embedder.query(text)).toHaveLength(16);
    expect(service.requests).toHaveLength(3);
  });

  it('is asked three times, and not more', async () => {
    expect(await failing(() => ({ status: 503 }))).toMatchObject({ report: expect.stringContaining('503'), asked: 3 });
    const gone = await failing(() => null);
    expect(gone).toMatchObject({ report: expect.stringMatching(/cannot be reached \([A-Z_]+\)/), asked: 3 });
  });

  it('is waited for as long as it asks, within limits', async () => {
    const waiting = (wait: string): Respond => {
      return (_, number) => (number === 1 ? { status: 429, headers: { 'retry-after': wait } } : answerWith([[1]]));
    };
    const patient = await serving(waiting('1'));
    const start = performance.now();
    await patient.embedder.query(text);
    expect(performance.now() - start).toBeGreaterThan(950);
    const dated = await serving(waiting(new Date(Date.now() - 1000).toUTCString()));
    expect(await dated.embedder.query(text)).toHaveLength(16);
    expect(await failing(waiting('11'))).toMatchObject({ report: expect.stringContaining('(429)'), asked: 1 });
  });

  it('is not waited for longer than a query may take, pauses included', async () => {
    const short = { ...limits, query: { ...limits.query, tryMs: 1_000, totalMs: 1_000 } };
    const never = await failing(() => new Promise(() => {}), short);
    expect(never).toMatchObject({ report: expect.stringContaining('gave no answer within 1 s'), asked: 1 });
    const paused = await failing(() => ({ status: 429, headers: { 'retry-after': '5' } }), short);
    expect(paused.asked).toBe(1);
  });

  it('that does not run is reported as unreachable', async () => {
    const embedder = createHttpEmbedder({ kind: 'http', url: 'http://127.0.0.1:9/v1', model: 'tiny', key }, limits);
    await expect(embedder.query(text)).rejects.toThrow(/at http:\/\/127\.0\.0\.1:9\/v1\/embeddings cannot be reached/);
  });
});

describe('an answer that cannot be used', () => {
  const two = { body: { data: [0, 1].map((index) => ({ index, embedding: [1] })) } };
  it.each([
    ['is no JSON', { body: `<html>${text}` }, 'not JSON'],
    ['is JSON of something else', { body: [1] }, 'not JSON with a list'],
    ['is an error that says it is none', { body: { error: { message: `${key} ${text}` } } }, 'not JSON with a list'],
    ['is empty', { body: '' }, 'not JSON'],
    ['has too many', two, '2 embeddings for 1 texts'],
    ['has none', { body: { data: [] } }, '0 embeddings for 1 texts'],
    ['has another index', { body: { data: [{ index: 1, embedding: [1] }] } }, 'indexes'],
    ['has an index that is not a number', { body: { data: [{ index: 'length', embedding: [1] }] } }, 'indexes'],
    ['has no embedding', { body: { data: [null] } }, 'finite numbers'],
    ['has text for a number', answerWith([['1']]), 'finite numbers'],
    ['has nothing for a number', { body: '{"data":[{"index":0,"embedding":[1,null]}]}' }, 'finite numbers'],
    ['has a number beyond all others', { body: '{"data":[{"index":0,"embedding":[1e999]}]}' }, 'finite numbers'],
    ['has a number beyond 32 bits', answerWith([[1e300]]), 'finite numbers'],
    ['has base64 of no number', answerWith([base64([Number.NaN])]), 'finite numbers'],
    ['has base64 that is cut', answerWith(['AAAAAAA=']), 'finite numbers'],
    ['has text that is not base64', answerWith(['!!!!']), 'finite numbers'],
    ['has no dimensions', answerWith([[]]), '0 dimensions'],
    ['has too many dimensions', answerWith([new Array(20_000).fill(1)]), '20000 dimensions'],
  ])('%s', async (_, reply, problem) => {
    expect(await failing(() => reply)).toMatchObject({ report: expect.stringContaining(problem), asked: 1 });
  });

  const skill = { name: 'one', description: 'Does it.', body: '' };

  it('is one whose vectors differ in dimensions, from each other or from earlier answers', async () => {
    const within = await serving(() => answerWith([[1, 2], [1]]));
    await expect(within.embedder.skills([skill, skill])).rejects.toThrow('differ in dimensions');
    const later = await serving((_, number) => answerWith([new Array(number).fill(1)]));
    await later.embedder.query(text);
    await expect(later.embedder.query(text)).rejects.toThrow('2 dimensions after 1');
  });

  it('is one that is too long', async () => {
    const small = { ...limits, query: { ...limits.query, answerBytes: 1_000_000 } };
    const { report, asked } = await failing(() => ({ body: ' '.repeat(8_000_000) }), small);
    expect(report).toContain('more than 1000000 bytes');
    expect(asked).toBe(1);
  });
});

describe('a refusal', () => {
  it.each([
    [401, 'does not accept the key (401)'],
    [403, 'does not accept the key (403)'],
    [404, "no model 'tiny' (404)"],
    [400, 'refused the request (400)'],
    [418, 'refused the request (418)'],
  ])('with %d is reported, with what to do', async (status, report) => {
    const body = { error: { message: `${key}: ${text}`, code: text, type: key } };
    expect(await failing(() => ({ status, body }))).toMatchObject({
      report: expect.stringContaining(report),
      asked: 1,
    });
  });

  it('is reported with the name of the problem, where it has one', async () => {
    const named = await failing(() => ({ status: 404, body: { error: { code: 'model_not_found' } } }));
    expect(named.report).toContain('(404, model_not_found)');
    const { embedder } = await serving(() => ({ status: 404, body: { error: { code: 'word_of_mine' } } }));
    await expect(embedder.query('a word_of_mine')).rejects.toThrow(/\(404\)$/);
  });

  it('because no key is set says so', async () => {
    const { embedder } = await serving(() => ({ status: 401 }), { secret: null });
    await expect(embedder.query(text)).rejects.toMatchObject({
      message: expect.stringContaining('requires a key'),
      hint: expect.stringContaining('REPERTOIRE_EMBEDDINGS_KEY'),
    });
  });

  it.each([301, 302, 307, 308])('to answer here (%d) is not followed', async (status) => {
    const other = await startEmbeddingsService(() => answerWith([[1]]));
    const { report } = await failing(() => ({ status, headers: { location: `${other.url}/embeddings` } }));
    expect(report).toContain(`redirects elsewhere, where nothing is sent (${status})`);
    expect(other.requests).toEqual([]);
  });
});
