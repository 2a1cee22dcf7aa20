import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer, startStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { catalogue, nextTold, toldOf, withScript } from './changes.ts';

const line = /^(\S+) info +refreshed: .*$/gm;

/** The times between the lines that tell of a refresh, once there are so many lines. */
async function pauses(server: StdioServer, count: number): Promise<number[]> {
  const times = (): number[] => [...server.stderr.matchAll(line)].map(([, time = '']) => Date.parse(time));
  await expect.poll(() => times().length, { interval: 20 }).toBeGreaterThanOrEqual(count);
  const at = times();
  return at.slice(1).map((time, index) => time - (at[index] as number));
}

describe('the refresh from time to time', () => {
  it('comes every 30 seconds or as often as was asked for, each with one line on stderr [C2-FRESH-05 C2-FRESH-06 S0-REFRESH-01 S0-REFRESH-02 S0-REFRESH-05 S0-REFRESH-06 S1-REFRESH-01 S3-CYCLE-02]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/one');
    const hurried = withScript('hurried-clock');
    const [byDefault, tenSeconds, oneSecond] = await Promise.all([
      connectStdio(world, ['mcp'], hurried),
      connectStdio(world, ['mcp', '--refresh-interval', '10000'], hurried),
      connectStdio(world, ['mcp', '--refresh-interval', '1000']),
    ]);
    // A busy machine may be late, never early: the shortest pause tells.
    const shortest = async (server: StdioServer): Promise<number> => Math.min(...(await pauses(server, 4)));
    const [thirty, ten, one] = await Promise.all([byDefault, tenSeconds, oneSecond].map(shortest));
    expect(thirty).toBeGreaterThan((30_000 / 20) * 0.6);
    expect(thirty).toBeLessThan((30_000 / 20) * 1.8);
    expect(ten).toBeGreaterThan((10_000 / 20) * 0.6);
    expect(ten).toBeLessThan((10_000 / 20) * 1.8);
    expect(one).toBeGreaterThan(800);
    expect(one).toBeLessThan(1800);
    for (const server of [byDefault, tenSeconds, oneSecond]) {
      const [ready, ...others] = server.stderr.trim().split('\n');
      expect(ready).toContain('ready: 1 skill');
      for (const other of others) expect(other).toMatch(/ info +refreshed: 1 skill/);
    }
  });

  it('finds what no watch has told of, and the description of the tool and all clients know [S1-REFRESH-02 S1-REFRESH-03 C2-FRESH-05]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/one');
    const server = await connectStdio(world, ['mcp', '--refresh-interval', '400'], withScript('no-watches'));
    await server.logged(/refreshed: /);
    const coming = nextTold(server);
    world.skill('home/.claude/skills/two');
    expect((await coming).params?.['reason']).toBe('1 added');
    expect(await catalogue(server)).toContain('What two does.');
    expect(await server.load('two')).toContain('Loading: two\n');
    await sleep(1000);
    expect(toldOf(server)).toHaveLength(1);
  });

  it('is not needed for what is there when the server starts [S3-CYCLE-01]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/one');
    world.skill('project/skills/two');
    const silent = startStdio(world, ['mcp']);
    expect(await silent.logged(/ready: .*/)).toContain('ready: 2 skills');
    const server = await connectStdio(world, ['mcp', '--no-refresh']);
    expect(await catalogue(server)).toContain('What two does.');
  });
});
