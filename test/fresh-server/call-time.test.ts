import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { withScript } from './changes.ts';

const skills = 'home/.claude/skills';

/** Every way to see a skill, asked for right after it was written. */
const sightings: Readonly<Record<string, (server: StdioServer, name: string) => Promise<boolean>>> = {
  'the tool skill': async (server, name) => (await server.load(name)).startsWith(`Loading: ${name}\n`),
  'skills.list': async (server, name) =>
    JSON.stringify(await server.call('skills.list')).includes(`What ${name} does.`),
  'skills.search': async (server, name) => {
    const { structuredContent } = await server.call('skills.search', { query: name });
    return structuredContent?.['total'] === 1;
  },
  'skill-engine/list_skills': async (server, name) => {
    return JSON.stringify(await server.call('skill-engine/list_skills', { limit: 500 })).includes(`What ${name} does.`);
  },
  'skills/get': async (server, name) => {
    return (await server.ask('skills/get', { uri: `skill://claude/${name}/SKILL.md` })).error === undefined;
  },
  'skills/list': async (server, name) => JSON.stringify(await server.request('skills/list')).includes(`/${name}/`),
  'resources/list': async (server, name) =>
    JSON.stringify(await server.request('resources/list')).includes(`/${name}/`),
  'resources/read': async (server, name) => {
    return (await server.ask('resources/read', { uri: `skill://claude/${name}/SKILL.md` })).error === undefined;
  },
  'prompts/get': async (server, name) => (await server.ask('prompts/get', { name })).error === undefined,
};

async function expectSeenAtOnce(world: World, server: StdioServer, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const [way, isSeen] of Object.entries(sightings)) {
      const name = `s${round}-${way.replace(/[^a-z]+/g, '-')}`;
      world.skill(`${skills}/${name}`);
      expect(await isSeen(server, name), `${way}, written just before`).toBe(true);
      rmSync(world.path(`${skills}/${name}`), { recursive: true });
      expect(await isSeen(server, name), `${way}, removed just before`).toBe(false);
    }
  }
}

describe('a call', () => {
  it('sees what was written, and what was removed, right before it [C2-FRESH-04 S1-REFRESH-05 S1-REFRESH-10 S2-DATA-10 S2-DATA-11]', async () => {
    const world = createWorld();
    world.skill(`${skills}/zero`);
    const server = await connectStdio(world, ['serve', '--refresh-interval', '86400000']);
    await expectSeenAtOnce(world, server, 4);
    const { content, isError } = await server.call('skill', { name: 's0-skills-get' });
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(/^Skill 's0-skills-get' not found\.\n/);
  });

  it('sees the same where nothing can be watched, which is said once', async () => {
    const world = createWorld();
    world.skill(`${skills}/zero`);
    const server = await connectStdio(world, ['serve', '--refresh-interval', '86400000'], withScript('no-watches'));
    for (const way of ['skills.list', 'the tool skill', 'resources/read']) {
      const name = `s-${way.replace(/[^a-z]+/g, '-')}`;
      world.skill(`${skills}/${name}`);
      // Where it cannot be told what has changed, a list that was made a moment ago is trusted.
      await expect.poll(() => sightings[way]?.(server, name), { interval: 50 }).toBe(true);
    }
    expect(await server.logged(/not every folder can be watched.*/)).toContain('ENOSPC');
    expect(server.stderr.match(/can be watched/g)).toHaveLength(1);
  });

  it('gives what a skill says now, in front matter and text [S1-REFRESH-07 S2-DATA-10 S2-DATA-11]', async () => {
    const world = createWorld();
    world.skill(`${skills}/one`);
    const server = await connectStdio(world, ['serve']);
    for (let round = 0; round < 10; round++) {
      world.skill(`${skills}/one`, { description: `State ${round}.`, body: `\nmarker-${round}\n` });
      expect(await server.load('one')).toContain(`description: State ${round}.\n---\n\nmarker-${round}\n`);
      const { structuredContent } = await server.call('skills.list', { includeBody: true });
      expect(structuredContent).toMatchObject({
        skills: [{ meta: { description: `State ${round}.` }, body: expect.stringContaining(`marker-${round}`) }],
      });
      const found = await server.call('skills.search', { query: `marker-${round} state` });
      expect(found.structuredContent).toMatchObject({ total: 1 });
      const gone = await server.call('skills.search', { query: `marker-${round - 1}` });
      expect(gone.structuredContent).toMatchObject({ total: 0 });
    }
  });

  it('sees one skill after another appear in a folder that is new itself', async () => {
    const world = createWorld();
    const server = await connectStdio(world, ['serve', '--refresh-interval', '86400000']);
    let total = 0;
    for (let round = 0; round < 5; round++) {
      for (const name of [`first-${round}`, `second-${round}`, `third-${round}`]) {
        world.skill(`project/skills/new-${round}/deep/er/${name}`);
        expect(await server.load(name)).toContain(`Loading: ${name}\n`);
        world.skill(`project/skills/new-${round}/deep/er/${name}-more`);
        const { structuredContent } = await server.call('skill-engine/list_skills');
        total += 2;
        expect(structuredContent?.['total'], name).toBe(total);
      }
    }
  });

  it('sees what was written right before it while there is still much to watch', async () => {
    const world = createWorld();
    for (let index = 0; index < 600; index++) world.skill(`${skills}/s${index}`);
    const server = await connectStdio(world, ['serve', '--refresh-interval', '86400000']);
    for (let round = 0; round < 10; round++) {
      world.skill(`${skills}/new-${round}`);
      const { structuredContent } = await server.call('skill-engine/list_skills', { limit: 1 });
      expect(structuredContent?.['total']).toBe(601 + round);
    }
  });
});
