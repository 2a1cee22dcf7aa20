import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { manySkills } from './index-files.ts';
import { asked, find, librarySize, namesFor, searchTool, type ToolAnswer } from './library.ts';

const preload = fileURLToPath(new URL('./slow-indexer.cjs', import.meta.url));
/** The thread that makes an index takes seconds for a thousand skills. */
const slowly = { env: { NODE_OPTIONS: `--require ${preload}` } };

async function answerFor(server: StdioServer, query: string): Promise<ToolAnswer> {
  return (await asked(server, query)).structuredContent as unknown as ToolAnswer;
}

/** Asks until everything is indexed. */
async function wholeAnswer(server: StdioServer, query: string): Promise<ToolAnswer> {
  let answer = await answerFor(server, query);
  await expect
    .poll(
      async () => {
        answer = await answerFor(server, query);
        return answer.indexed;
      },
      { interval: 100 },
    )
    .toBeUndefined();
  return answer;
}

/** How long each of some requests takes that are made while something else goes on. */
async function timesOf(request: () => Promise<unknown>, until: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  void until.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const began = performance.now();
    await request();
    times.push(performance.now() - began);
    await sleep(25);
  }
  return times.toSorted((a, b) => a - b);
}

describe('while many skills are indexed', () => {
  it('a server answers from those that are ready, says how many, and soon has all', async () => {
    const world = manySkills(900);
    const total = 900 + librarySize;
    // Longer than anybody waits for an answer, on as many threads as there may be.
    const server = await connectStdio(world, ['serve'], { env: { ...slowly.env, SLOW_INDEXER_MS: '30' } });
    await server.load('pdf-merge');
    const { content, structuredContent } = await asked(server, 'merge pdf');
    const { indexed, notes } = structuredContent as unknown as ToolAnswer;
    expect(structuredContent).toMatchObject({ total, indexed: expect.any(Number) });
    expect(indexed).toBeLessThan(total);
    expect(notes).toEqual([`${indexed} of ${total} skills are indexed; ask again for the rest`]);
    expect(content[0]?.text).toContain(`Note: ${notes?.[0]}.`);
    const whole = await wholeAnswer(server, 'merge pdf');
    expect([whole.results[0]?.name, whole.notes]).toEqual(['pdf-merge', undefined]);
    // Every skill can be found by now, the last one as well.
    for (const number of [0, 555, 899]) expect((await namesFor(server, `word${number}`))[0]).toBe(`s${number}`);
  });

  it('other requests are answered at once', async () => {
    const world = manySkills(700);
    const server = await connectStdio(world, ['serve'], slowly);
    await server.load('pdf-merge');
    const began = performance.now();
    const searching = answerFor(server, 'merge pdf');
    const [pings, loads] = await Promise.all([
      timesOf(() => server.request('ping'), searching),
      timesOf(() => server.load('pdf-merge'), searching),
    ]);
    const whole = performance.now() - began;
    // Beside a search that takes its time, none of them waits for much of it, however slow the machine is.
    for (const times of [pings, loads]) {
      expect(times.length).toBeGreaterThan(5);
      expect(times[times.length >> 1]).toBeLessThan(whole / 5);
    }
  });

  it('what is written, changed and removed is right in the end', async () => {
    const world = manySkills(700);
    const server = await connectStdio(world, ['serve'], slowly);
    await server.load('pdf-merge');
    const first = answerFor(server, 'merge pdf');
    await sleep(300);
    world.skill('project/skills/scarf', { description: 'Knits a scarf of wool.' });
    world.skill('project/skills/s650', { description: 'Feeds a walrus with herring.' });
    rmSync(world.path('project/skills/s651'), { recursive: true });
    await first;
    await expect.poll(() => namesFor(server, 'knit a scarf')).toContain('scarf');
    const { results } = await wholeAnswer(server, 'walrus herring');
    expect(results[0]).toMatchObject({ name: 's650', description: 'Feeds a walrus with herring.' });
    expect(await namesFor(server, 'word650')).not.toContain('s650');
    expect(await namesFor(server, 'word651')).not.toContain('s651');
    expect((await namesFor(server, 'word652'))[0]).toBe('s652');
  });

  it('a server ends at once and with code 0, and leaves nothing that harms the next', async () => {
    const world = manySkills(600);
    const ends: readonly ((server: StdioServer) => unknown)[] = [
      (server) => server.child.stdin?.end(),
      (server) => server.child.kill('SIGTERM'),
      (server) => server.child.kill('SIGINT'),
    ];
    const ended = ends.map(async (end) => {
      const server = await connectStdio(world, ['serve'], slowly);
      await server.load('pdf-merge');
      server.send({ id: 1, method: 'tools/call', params: { name: searchTool, arguments: { query: 'merge pdf' } } });
      await sleep(400);
      end(server);
      expect(await server.exited).toBe(0);
    });
    await Promise.all(ended);
    const { results, notes } = await find(world, 'merge pdf');
    expect([results[0]?.name, notes]).toEqual(['pdf-merge', []]);
  });

  it('the command waits until it can answer from all, and is silent about it where nobody watches', async () => {
    const world = manySkills(300);
    const { code, stdout, stderr } = await world.run(['search', 'word299'], slowly);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ {2}s299 /);
    expect((await find(world, 'word299')).index).toEqual({
      ready: 300 + librarySize,
      total: 300 + librarySize,
      added: 0,
    });
  });
});

describe('many questions at once', () => {
  it('are all answered where the index takes a while', async () => {
    const world: World = createWorld();
    for (let index = 0; index < 3000; index++) {
      const text = `Step ${index} of the plan, with detail${index % 97} and part${index}. `;
      world.skill(`project/skills/s${index}`, {
        description: `Handles part${index} of things.`,
        body: `\n${text.repeat(15)}\n`,
      });
    }
    const server = await connectStdio(world, ['serve']);
    await Promise.all(Array.from({ length: 5 }, (_, at) => wholeAnswer(server, `part${at * 600}`)));
    const names = await Promise.all([1, 1500, 2999].map(async (at) => (await namesFor(server, `part${at}`))[0]));
    expect(names).toEqual(['s1', 's1500', 's2999']);
  });
});
