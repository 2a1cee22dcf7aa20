import { renameSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { catalogue, lists, nextTold, pastDebounceMs, quiet, toldOf } from './changes.ts';

async function watching(world: World, args: readonly string[] = ['mcp']): Promise<StdioServer> {
  const server = await connectStdio(world, args);
  await quiet(server);
  return server;
}

describe('a server that is asked nothing', () => {
  it('notices by itself that a skill was added, changed and removed, and says so with a short reason [C2-FRESH-01 C2-FRESH-12 C2-FRESH-13 S2-FOLLOW-01 S2-WATCH-02 S3-TEST-11]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/one');
    const server = await watching(world, ['mcp', '--refresh-interval', '86400000']);
    const steps: readonly [() => void, RegExp, (text: string) => boolean][] = [
      [() => world.skill('home/.claude/skills/two'), /^1 added$/, (text) => text.includes('What two does.')],
      [
        () => world.skill('home/.claude/skills/two', { description: 'Something else.' }),
        /^1 changed$/,
        (text) => text.includes('Something else.') && !text.includes('What two does.'),
      ],
      [
        () => rmSync(world.path('home/.claude/skills/two'), { recursive: true }),
        /^1 removed$/,
        (text) => !text.includes('Something else.'),
      ],
    ];
    for (const [change, reason, isTrue] of steps) {
      const coming = lists.map((list) => nextTold(server, list));
      change();
      for (const { params } of await Promise.all(coming)) expect(params?.['reason']).toMatch(reason);
      expect(isTrue(await catalogue(server))).toBe(true);
    }
    await sleep(pastDebounceMs);
    for (const list of lists) expect(toldOf(server, list), list).toHaveLength(steps.length);
  });

  it('notices what happens at any depth, in folders that were not there before too [S2-WATCH-01]', async () => {
    const world = createWorld();
    world.skill('project/skills/a/b/c/deep');
    const server = await watching(world, ['mcp-server', '--root', './skills', '--tools', 'skill']);
    for (const folder of ['a/b/c/deeper', 'new/d/e/f/deepest', 'new/d/e/other']) {
      const coming = nextTold(server);
      world.skill(`project/skills/${folder}`);
      await coming;
      expect(await catalogue(server)).toContain(`What ${folder.split('/').at(-1)} does.`);
    }
  });

  it('notices a root that was not there before, and a folder that was moved', async () => {
    const world = createWorld();
    const server = await watching(world);
    for (const folder of ['home/.codex/skills/first', 'project/.claude/skills/second', 'project/skills/x/third']) {
      const coming = nextTold(server);
      world.skill(folder);
      await coming;
    }
    const coming = nextTold(server);
    renameSync(world.path('project/skills/x'), world.path('project/hidden'));
    expect((await coming).params?.['reason']).toBe('1 removed');
    const back = nextTold(server);
    renameSync(world.path('project/hidden'), world.path('project/skills/y'));
    expect((await back).params?.['reason']).toBe('1 added');
    const last = nextTold(server);
    world.skill('project/skills/y/third', { description: 'Changed where it came back.' });
    await last;
    expect(await catalogue(server)).toContain('Changed where it came back.');
  });

  it('says nothing where a change leaves what clients are shown as it was [C2-FRESH-14 S2-WATCH-03]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/one', { body: 'old' });
    const server = await watching(world, ['mcp', '--refresh-interval', '300']);
    world.skill('home/.claude/skills/one', { body: 'new' }); // the text below the front matter
    world.write('home/.claude/skills/one/references/more.md', 'x');
    world.write('home/.claude/skills/notes.txt', 'x');
    world.write('home/.claude/skills/broken/SKILL.md', 'no front matter');
    world.write('project/README.md', 'x');
    await sleep(2 * pastDebounceMs);
    for (const list of lists) expect(toldOf(server, list)).toEqual([]);
    expect(await server.load('one')).toMatch(/new$/);
    const coming = nextTold(server);
    world.skill('home/.claude/skills/two');
    await coming;
    expect(toldOf(server)).toHaveLength(1);
  });
});
