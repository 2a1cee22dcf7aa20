import { describe, expect, it } from 'vitest';
import { type Respond, type ServiceRequest, startEmbeddingsService } from '../support/embeddings-service.ts';
import { connectStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { asked, type ToolAnswer } from './library.ts';
import { directions, findWith, pets, sentTo, serviceAt } from './topics-service.ts';

const down = 'http://127.0.0.1:9/v1';
const hanging: Respond = () => new Promise(() => {});
const failing: Respond = () => ({ status: 500, body: { error: { message: 'out of memory' } } });

/** What the answer says about a service that does not do its part. */
const said = expect.arrayContaining([expect.stringMatching(/embeddings service at http:.*; .* words only/)]);

async function expectWords(world: World, url: string): Promise<void> {
  const { results, notes } = await findWith(world, url, 'bread');
  expect(results.map(({ name, matchedBy }) => [name, matchedBy])).toEqual([['baking', ['words']]]);
  expect(notes).toEqual(said);
}

async function expectWordsOverMcp(world: World, url: string): Promise<void> {
  const server = await connectStdio(world, ['serve'], { env: serviceAt(url) });
  for (let time = 0; time < 2; time++) {
    const { structuredContent, content } = await asked(server, 'bread');
    const { results, notes } = structuredContent as unknown as ToolAnswer;
    expect(results.map(({ name }) => name)).toEqual(['baking']);
    expect(notes).toEqual(said);
    expect(content[0]?.text).toMatch(/^Note: .*words only/m);
  }
}

describe('where the embeddings service is of no use, words find at once and a note says why:', () => {
  it('it is not there', async () => {
    await expectWords(pets(), down);
    await expectWordsOverMcp(pets(), down);
  });

  it('it fails', async () => {
    const { url } = await startEmbeddingsService(failing);
    await expectWords(pets(), url);
    await expectWordsOverMcp(pets(), url);
  });

  it('it hangs, for a server', async () => {
    const { url } = await startEmbeddingsService(hanging);
    await expectWordsOverMcp(pets(), url);
  });

  it('it hangs, for a command', async () => {
    const { url } = await startEmbeddingsService(hanging);
    await expectWords(pets(), url);
  });
});

describe('an embeddings service that fails midway', () => {
  const count = 300;
  /** A batch for the thread that asks holds so many. */
  const batch = 256;

  function crowd(): World {
    const world = createWorld();
    for (let index = 0; index < count; index++) {
      world.skill(`project/skills/s${index}`, { description: `Number ${index}: ${index === 7 ? 'cats' : 'things'}.` });
    }
    return world;
  }

  /** The numbers of the skills that a request is about. */
  const numbersIn = ({ input }: ServiceRequest) => input.flatMap((text) => /Number (\d+)/.exec(text)?.[1] ?? []);

  it('is not sent again the texts it had embedded by then', async () => {
    const world = crowd();
    let budget = batch;
    const service = await startEmbeddingsService((request) => {
      const numbers = numbersIn(request);
      if (numbers.length > budget) return { status: 403 };
      budget -= numbers.length;
      return directions(request);
    });
    const first = await findWith(world, service.url, 'feline');
    expect(first.notes).toEqual(said);
    expect(first.index).toMatchObject({ ready: count, total: count });
    budget = count;
    const before = service.requests.length;
    const second = await findWith(world, service.url, 'feline');
    expect([second.results[0]?.name, second.notes]).toEqual(['s7', []]);
    expect(service.requests.slice(before).flatMap(numbersIn)).toHaveLength(count - batch);
    const after = sentTo(service).length;
    await findWith(world, service.url, 'feline');
    expect(sentTo(service).slice(after)).toEqual(['feline']);
  });
});
