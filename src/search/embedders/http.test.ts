import { describe, expect, it } from 'vitest';
import { base64, key, limits, serving, text } from '../../../test/support/embedder.ts';
import { answerWith, type ServiceRequest } from '../../../test/support/embeddings-service.ts';

/** A vector from which the number can be read again. */
const vectorOf = (number: number): number[] => [3 * Math.cos(number / 1000), 3 * Math.sin(number / 1000)];
const numberOf = (vector: Float32Array): number => Math.round(Math.atan2(vector[1] ?? 0, vector[0] ?? 0) * 1000);
const numberIn = (sent: string): number => Number(/^skill (\d+)\n/.exec(sent)?.[1]);
const right = ({ input }: ServiceRequest) => answerWith(input.map((sent) => vectorOf(numberIn(sent))));
const skill = (number: number, body = '') => ({ name: `skill-${number}`, description: 'Does it.', body });
const skillsTo = (end: number) => Array.from({ length: end }, (_, number) => skill(number));
const numbersTo = (end: number) => Array.from({ length: end }, (_, number) => number);

describe('a request', () => {
  it('is in the format, with the key, and the answer has length 1 in a multiple of 16 dimensions', async () => {
    const { service, embedder } = await serving(() => answerWith([[3, 0, 4]]));
    const vector = await embedder.query(text);
    expect([...vector]).toEqual([Math.fround(0.6), 0, Math.fround(0.8), ...new Array(13).fill(0)]);
    expect(service.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      model: 'tiny',
      input: [text],
      encoding_format: 'float',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    expect(embedder.id).toBe(`http:${service.url}#tiny`);
  });

  it('carries no token where there is no key', async () => {
    const { service, embedder } = await serving(() => answerWith([[1]]), { secret: null });
    await embedder.query(text);
    expect(service.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('holds the name in words, the description and the prose of a skill', async () => {
    const { service, embedder } = await serving(() => answerWith([[1]]));
    const body = 'Read this.\n```sh\nrm -rf secrets\n```\nAnd [that](https://example.org/x).';
    await embedder.skills([{ name: 'team:csv-tool', description: 'Reads tables.', body }]);
    const [sent = ''] = service.requests[0]?.input ?? [];
    expect(sent).toMatch(/^team csv tool\nReads tables\.\nRead this\./);
    expect(sent).not.toMatch(/secrets|https:/);
  });

  it('holds whole characters only, and no more than 8,000 bytes', async () => {
    const { service, embedder } = await serving(() => answerWith([[1]]));
    await embedder.query('€'.repeat(9_000));
    await embedder.query('lone \ud800 half');
    await embedder.query(`${'x'.repeat(7_999)}😀`);
    expect(service.requests.map(({ input }) => input[0])).toEqual([
      '€'.repeat(2_666),
      'lone \ufffd half',
      'x'.repeat(7_999),
    ]);
  });
});

describe('many skills', () => {
  it('go in batches of 64, two at a time, and come back in their order', async () => {
    const { service, embedder } = await serving(async (request, number) => {
      await new Promise((resolve) => setTimeout(resolve, number % 2 === 0 ? 5 : 40));
      return right(request);
    });
    const [all, few] = await Promise.all([embedder.skills(skillsTo(300)), embedder.skills(skillsTo(3))]);
    expect(all.map(numberOf)).toEqual(numbersTo(300));
    expect(few.map(numberOf)).toEqual([0, 1, 2]);
    expect(service.requests.map(({ input }) => input.length).sort((a, b) => a - b)).toEqual([3, 44, 64, 64, 64, 64]);
    expect(service.busiest()).toBe(2);
    expect(await embedder.skills([])).toEqual([]);
    expect(service.requests).toHaveLength(6);
  });

  it('are ordered by index, wherever it stands in the answer', async () => {
    const { embedder } = await serving(({ input }) => {
      const data = input.map((sent, index) => ({ index, embedding: vectorOf(numberIn(sent)) }));
      return { body: { data: data.reverse() } };
    });
    expect((await embedder.skills(skillsTo(5))).map(numberOf)).toEqual(numbersTo(5));
  });

  it('are in the order they came in where no index is said', async () => {
    const { embedder } = await serving(({ input }) => ({
      body: { data: input.map((sent) => ({ embedding: vectorOf(numberIn(sent)) })) },
    }));
    expect((await embedder.skills(skillsTo(5))).map(numberOf)).toEqual(numbersTo(5));
  });

  it('may be answered in base64', async () => {
    const { embedder } = await serving(({ input }) =>
      answerWith(input.map((sent) => base64(vectorOf(numberIn(sent))))),
    );
    expect((await embedder.skills(skillsTo(5))).map(numberOf)).toEqual(numbersTo(5));
  });

  it('go in smaller batches where the service takes no more, which is learnt', async () => {
    const { service, embedder } = await serving((request) =>
      request.input.length > 10 ? { status: 422, body: {} } : right(request),
    );
    expect((await embedder.skills(skillsTo(64))).map(numberOf)).toEqual(numbersTo(64));
    const asked = service.requests.length;
    expect((await embedder.skills(skillsTo(64))).map(numberOf)).toEqual(numbersTo(64));
    expect(service.requests.slice(asked).map(({ input }) => input.length)).toEqual(new Array(8).fill(8));
  });

  it('are shortened where one of them is too long for the model, and the others are not', async () => {
    const { service, embedder } = await serving((request) =>
      request.input.some((sent) => sent.length > 1_500) ? { status: 400, body: {} } : right(request),
    );
    const long = skill(2, 'word '.repeat(400));
    const skills = [skill(0), skill(1, 'word'), long, skill(3)];
    expect((await embedder.skills(skills)).map(numberOf)).toEqual(numbersTo(4));
    const taken = service.requests.flatMap(({ input }) => input).filter((sent) => sent.startsWith('skill 2\n'));
    expect(taken.at(-1)?.length).toBeGreaterThan(1_000);
  });

  it('go in smaller batches where the service is slow', async () => {
    const given = { ...limits, skills: { ...limits.skills, tryMs: 2_000 } };
    const { embedder } = await serving(
      (request) => (request.input.length > 32 ? new Promise(() => {}) : right(request)),
      { given },
    );
    expect((await embedder.skills(skillsTo(64))).map(numberOf)).toEqual(numbersTo(64));
  });

  it('are given up at the first that fails for good', async () => {
    const { service, embedder } = await serving(() => ({ status: 401 }));
    await expect(embedder.skills(skillsTo(1_000))).rejects.toThrow('does not accept the key (401)');
    expect(service.requests.length).toBeLessThanOrEqual(2);
    await expect(embedder.skills(skillsTo(1))).rejects.toThrow('(401)');
  });
});
