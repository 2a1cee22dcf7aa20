import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ResourceFixture, skillResourcesOn } from '../../../../test/support/skill-resources.ts';
import { createWorld, type World } from '../../../../test/support/world.ts';
import { templates } from './skill-resources.ts';

const skills = 'home/.claude/skills';

type List = (
  skillResources: ResourceFixture['skillResources'],
  cursor: string | undefined,
) => Promise<{ uris: string[]; nextCursor: string | undefined }>;

/** The lists of skills, each as addresses. */
const lists: Record<string, List> = {
  async skills(skillResources, cursor) {
    const { skills: items, nextCursor } = await skillResources.listSkills(cursor);
    expect(items.length).toBeLessThanOrEqual(50);
    return { uris: items.map(({ uri }) => uri), nextCursor };
  },
  async resources(skillResources, cursor) {
    const { resources: items, nextCursor } = await skillResources.listResources(cursor);
    expect(items.length).toBeLessThanOrEqual(100);
    return { uris: items.map(({ uri }) => uri), nextCursor };
  },
};

/** Removes one skill that was given last, and adds others before and behind it. */
function disturb(world: World, turn: number): void {
  rmSync(world.path(`${skills}/skill-${149 + turn}`), { recursive: true, force: true });
  world.skill(`${skills}/a-new-${turn}`);
  world.skill(`${skills}/z-new-${turn}`);
}

describe('resources', () => {
  it('list every SKILL.md with what its front matter says', async () => {
    const world = createWorld();
    world.skill(`${skills}/pdf`, { description: '"  Kept as it is. "' });
    world.skill('home/.codex/skills/csv');
    const { skillResources } = skillResourcesOn(world);
    expect(await skillResources.listResources(undefined)).toEqual({
      resources: [
        {
          uri: 'skill://claude/pdf/SKILL.md',
          name: 'pdf',
          description: '  Kept as it is. ',
          mimeType: 'text/markdown',
          size: expect.any(Number),
        },
        expect.objectContaining({ uri: 'skill://codex/csv/SKILL.md', name: 'csv' }),
      ],
    });
    expect(templates).toMatchObject([{ uriTemplate: 'skill://{+path}' }]);
  });

  it('complete a path to skills, and below a skill to its files', async () => {
    const world = createWorld();
    world.skill(`${skills}/pdf`);
    world.skill(`${skills}/pdf-forms`);
    world.skill(`${skills}/Bad Name`);
    world.write(`${skills}/pdf/a b.txt`, '');
    world.skill('home/.codex/skills/csv');
    const { skillResources } = skillResourcesOn(world);
    const complete = async (prefix: string): Promise<readonly string[]> =>
      (await skillResources.completePath(prefix)).values;
    const all = ['claude/pdf-forms/SKILL.md', 'claude/pdf/SKILL.md'];
    expect(await complete('')).toEqual([...all, 'codex/csv/SKILL.md']);
    expect(await complete('claude/')).toEqual(all);
    expect(await complete('claude/pdf')).toEqual([...all, 'claude/pdf/a%20b.txt']);
    expect(await complete('claude/pdf/')).toEqual(['claude/pdf/SKILL.md', 'claude/pdf/a%20b.txt']);
    expect(await complete('claude/pdf/SKILL.md')).toEqual(['claude/pdf/SKILL.md']);
    expect(await complete('claude/pdf/x')).toEqual([]);
    expect(await complete('none')).toEqual([]);
  });

  it('complete no more than a hundred, and say that there are more', async () => {
    const world = createWorld();
    for (let index = 0; index < 130; index++) world.skill(`${skills}/skill-${index}`);
    const { skillResources } = skillResourcesOn(world);
    expect(await skillResources.completePath('')).toMatchObject({ values: { length: 100 }, hasMore: true });
    expect(await skillResources.completePath('claude/skill-12')).toMatchObject({
      values: { length: 11 },
      hasMore: false,
    });
  });

  it.each(Object.entries(lists))(
    'are paged so that a refresh between two pages of %s loses nothing',
    async (_, list) => {
      const world = createWorld();
      for (let index = 100; index < 330; index++) world.skill(`${skills}/skill-${index}`);
      const { skillResources } = skillResourcesOn(world);
      const seen: string[] = [];
      let cursor: string | undefined;
      for (let turn = 0; turn === 0 || cursor !== undefined; turn++) {
        const { uris, nextCursor } = await list(skillResources, cursor);
        seen.push(...uris);
        cursor = nextCursor;
        disturb(world, turn);
      }
      expect(seen).toEqual([...new Set(seen)].sort());
      for (let index = 160; index < 330; index++) expect(seen).toContain(`skill://claude/skill-${index}/SKILL.md`);
    },
  );

  it('take only cursors that they gave', async () => {
    const world = createWorld();
    for (let index = 0; index < 60; index++) world.skill(`${skills}/skill-${index}`);
    const { skillResources } = skillResourcesOn(world);
    for (const cursor of ['', 'x', 'c2tpbGxzCg==']) {
      await expect(skillResources.listSkills(cursor)).rejects.toMatchObject({ code: 'usage' });
    }
    const { nextCursor } = await skillResources.listSkills(undefined);
    expect(nextCursor).toEqual(expect.any(String));
    await expect(skillResources.listResources(nextCursor)).rejects.toMatchObject({ code: 'usage' });
  });
});
