import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRepertoire, type Repertoire } from '../../src/index.ts';
import { connectStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { catalogue, lists, pastDebounceMs, quiet, toldOf } from './changes.ts';

function open(world: World, autoRefresh: boolean): Repertoire {
  const env = { XDG_CACHE_HOME: world.path('cache') };
  const options = { autoRefresh, refreshInterval: 100, cwd: world.project, home: world.home, env };
  const repertoire = createRepertoire(options);
  onTestFinished(() => repertoire.close());
  return repertoire;
}

const names = async (repertoire: Repertoire): Promise<string[]> =>
  (await repertoire.list()).skills.map((skill) => skill.fullName);

describe('without refresh', () => {
  it('--no-refresh turns off the watcher, the check at a call, and the interval [C2-FRESH-07 S0-REFRESH-04]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/one');
    world.skill('home/.claude/skills/two');
    const server = await connectStdio(world, ['serve', '--no-refresh', '--refresh-interval', '200']);
    expect(await catalogue(server)).toContain('What one does.');
    await quiet(server);
    world.skill('home/.claude/skills/three');
    rmSync(world.path('home/.claude/skills/two'), { recursive: true });
    const seen = async (): Promise<string> => JSON.stringify(await server.call('skills.list'));
    for (let times = 0; times < 2; times++) {
      expect(await seen()).toContain('What two does.'); // at the call …
      expect(await seen()).not.toContain('What three does.');
      expect(await server.call('skill', { name: 'three' })).toMatchObject({ isError: true });
      expect(await server.call('skills.search', { query: 'three' })).toMatchObject({
        structuredContent: { total: 0 },
      });
      await sleep(pastDebounceMs); // … and later
    }
    for (const list of lists) expect(toldOf(server, list)).toEqual([]);
    expect(server.stderr).not.toMatch(/refreshed/);
    expect(await catalogue(server)).not.toContain('What three does.');
  });

  it('`autoRefresh: false` does the same for the library [C2-FRESH-08 S0-REFRESH-03]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/one');
    const repertoire = open(world, false);
    let calls = 0;
    repertoire.subscribe(() => void calls++);
    expect(await names(repertoire)).toEqual(['one']);
    world.skill('home/.claude/skills/two');
    expect(await names(repertoire)).toEqual(['one']);
    await sleep(pastDebounceMs);
    expect(await names(repertoire)).toEqual(['one']);
    await expect(repertoire.load('two')).rejects.toMatchObject({ code: 'not-found' });
    expect(calls).toBe(0);
    await repertoire.refresh();
    expect(await names(repertoire)).toEqual(['one', 'two']);
  });

  it('is not how it is if not said: the library notices by itself', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/one');
    const repertoire = open(world, true);
    expect(await names(repertoire)).toEqual(['one']);
    const told = new Promise<number>((resolve) => repertoire.subscribe(({ skills }) => resolve(skills.length)));
    world.skill('home/.claude/skills/two');
    expect(await told).toBe(2);
  });
});
