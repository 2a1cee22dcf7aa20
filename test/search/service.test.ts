import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerWith, startEmbeddingsService } from '../support/embeddings-service.ts';
import { connectStdio, startStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { asked, find, hitsFor } from './library.ts';
import { findWith, key, pets, sentTo, serviceAt, startTopics } from './topics-service.ts';

const meant = 'feline';

/** The skills among the texts that were sent, by what they do. */
function skillsIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => /Brushes|Rigs|Bakes|Knits/.exec(text)?.[0] ?? []).toSorted();
}

function everythingBelow(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return files.map((file) => (statSync(file).isFile() ? readFileSync(file, 'latin1') : file)).join('\n');
}

async function expectMeant(world: World, url: string): Promise<void> {
  const { results, notes } = await findWith(world, url, meant);
  expect([results[0]?.name, results[0]?.matchedBy, notes]).toEqual(['grooming', ['meaning'], []]);
}

describe('a search with an embeddings service', () => {
  it('finds by the directions of the service, on the command line and over MCP', async () => {
    const [world, service] = [pets(), await startTopics()];
    const { results, notes, index } = await findWith(world, service.url, meant);
    // What points elsewhere and has none of the words scores nothing, and is no hit.
    expect(results.map(({ name, matchedBy }) => [name, matchedBy])).toEqual([['grooming', ['meaning']]]);
    expect([notes, index]).toEqual([[], { ready: 3, total: 3, added: 3 }]);
    for (const { model, headers } of service.requests) {
      expect([model, headers.authorization]).toEqual(['tiny', `Bearer ${key}`]);
    }
    const server = await connectStdio(world, ['serve'], { env: serviceAt(service.url) });
    const hits = await hitsFor(server, 'a vessel');
    expect(hits.map(({ name }) => name)).toEqual(['sailing']);
    expect(skillsIn(sentTo(service))).toEqual(['Bakes', 'Brushes', 'Rigs']);
  });

  it('finds by the tools of skills as well, whose texts are not sent one by one', async () => {
    const [world, service] = [pets(), await startTopics()];
    const tools = ['bowline', 'anchor'].map(
      (name) => `[tools.${name}]\ndescription = "Ties a ${name}."\ncommand = "echo"\n`,
    );
    writeFileSync(world.path('project/skills/sailing/skill.toml'), tools.join('\n'));
    const { results } = await findWith(world, service.url, '--explain', 'bowline for a vessel');
    expect(results[0]).toMatchObject({ name: 'sailing', explanation: { tool: { name: 'bowline', meaning: 1 } } });
    expect(sentTo(service)).toHaveLength(4);
  });

  it('never sends what is hidden', async () => {
    const [world, service] = [pets(), await startTopics()];
    await findWith(world, service.url, meant, '--exclude', 'sailing');
    await findWith(world, service.url, 'sailing', '--exclude', 'sailing');
    const env = serviceAt(service.url);
    const server = await connectStdio(world, ['serve', '--exclude', 'sailing'], { env });
    expect((await hitsFor(server, meant))[0]?.name).toBe('grooming');
    expect(skillsIn(sentTo(service))).toEqual(['Bakes', 'Brushes']);
    expect(sentTo(service).join()).not.toContain('Rigs');
    // Shown again, it is sent, and nothing else is.
    expect((await findWith(world, service.url, 'a vessel')).results[0]?.name).toBe('sailing');
    expect(skillsIn(sentTo(service))).toEqual(['Bakes', 'Brushes', 'Rigs']);
  });

  it('never prints the key', async () => {
    const [world, service] = [pets(), await startTopics()];
    const env = serviceAt(service.url);
    const gone = 'http://127.0.0.1:9/v1';
    const runs = [
      await world.run(['search', meant], { env }),
      await world.run(['search', meant, '--json', '--explain'], { env }),
      await world.run(['search', meant], { env: serviceAt(gone) }),
      await world.run(['search', meant], { env: { ...env, REPERTOIRE_EMBEDDINGS_URL: 'http://example.com/v1' } }),
    ];
    expect(runs.map(({ code }) => code)).toEqual([0, 0, expect.any(Number), 2]);
    const server = await connectStdio(world, ['serve', '--log-level', 'debug'], { env });
    await asked(server, meant);
    expect(await server.end()).toBe(0);
    const told = [...runs, server].map(({ stdout, stderr }) => stdout + stderr).join('\n');
    expect(told + everythingBelow(world.root)).not.toContain(key);
  });

  it('sends a skill again when it has changed, and no other', async () => {
    const [world, service] = [pets(), await startTopics()];
    await expectMeant(world, service.url);
    const before = service.requests.length;
    await expectMeant(world, service.url);
    expect(service.requests.slice(before).flatMap(({ input }) => input)).toEqual([meant]);
    world.skill('project/skills/sailing', { description: 'Knits hats for cats.' });
    const { results } = await findWith(world, service.url, meant);
    expect(results.map(({ name }) => name).toSorted()).toEqual(['grooming', 'sailing']);
    expect(skillsIn(service.requests.slice(before).flatMap(({ input }) => input))).toEqual(['Knits']);
  });

  it('begins again when the model has other dimensions under the same name', async () => {
    let dimensions = 16;
    const [world, service] = [pets(), await startTopics(() => dimensions)];
    await expectMeant(world, service.url);
    for (dimensions of [48, 24]) {
      const before = service.requests.length;
      await expectMeant(world, service.url);
      const sent = service.requests.slice(before).flatMap(({ input }) => input);
      expect(skillsIn(sent), `${dimensions}`).toEqual(['Bakes', 'Brushes', 'Rigs']);
      const after = service.requests.length;
      await expectMeant(world, service.url);
      expect(service.requests.slice(after).flatMap(({ input }) => input)).toEqual([meant]);
    }
  });

  it('leaves out what scores so little that it would be shown as nothing', async () => {
    const world = createWorld();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) world.skill(`project/skills/${name}`, { description: 'Near.' });
    world.skill('project/skills/odd', { description: 'Far away.' });
    const padded = (...numbers: number[]) => [...numbers, ...Array.from({ length: 16 - numbers.length }, () => 0)];
    const vectorOf = (text: string) => {
      if (text.includes('Near')) return padded(1);
      // Each has as much of the second direction as an index can hold at least.
      return text.includes('Far') ? padded(0, 0.008, 1) : padded(1, 0.008);
    };
    const service = await startEmbeddingsService(({ input }) => answerWith(input.map(vectorOf)));
    const { results, index } = await findWith(world, service.url, meant);
    expect([results.map(({ name }) => name), index.ready]).toEqual([['a', 'b', 'c', 'd', 'e', 'f'], 7]);
  });

  it('keeps an index for each embedder', async () => {
    const [world, service] = [pets(), await startTopics()];
    await expectMeant(world, service.url);
    const here = await find(world, 'bread');
    expect([here.results[0]?.name, here.index.added, here.notes]).toEqual(['baking', 3, []]);
    const before = service.requests.length;
    await expectMeant(world, service.url);
    expect(service.requests.slice(before).flatMap(({ input }) => input)).toEqual([meant]);
    expect((await find(world, 'bread')).index.added).toBe(0);
    expect(service.requests).toHaveLength(before + 1);
  });
});

describe('an embeddings service without a model', () => {
  const env = { REPERTOIRE_EMBEDDINGS_URL: 'http://127.0.0.1:9/v1' };

  it('is an error that names the remedy, for a search and for a server', async () => {
    const world = pets();
    const run = await world.run(['search', 'bread'], { env });
    expect(run.code).toBe(2);
    const server = startStdio(world, ['serve'], { env });
    server.send({ id: 1, method: 'ping' });
    expect(await server.exited).toBe(2);
    for (const { stdout, stderr } of [run, server]) {
      expect(stdout).toBe('');
      expect(stderr).toContain('no model');
      expect(stderr).toContain('--embeddings-model');
    }
  });

  it('does not matter to an exact search', async () => {
    const { code, stdout, stderr } = await pets().run(['search', '--exact', 'bread'], { env });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('baking');
  });
});
