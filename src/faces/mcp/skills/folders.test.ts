import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { skillResourcesOn } from '../../../../test/support/skill-resources.ts';
import { createWorld } from '../../../../test/support/world.ts';

const pdf = 'home/.claude/skills/pdf';

describe('resources/directory/read', () => {
  it('lists what a folder holds, and nothing from further down', async () => {
    const world = createWorld();
    world.skill(pdf);
    world.write(`${pdf}/scripts/deep/run.py`, 'x');
    world.write(`${pdf}/scripts/LICENSE`, 'text without an extension');
    world.write(`${pdf}/scripts/blob`, Buffer.from([1, 0, 2]));
    world.write(`${pdf}/node_modules/x.js`, 'x');
    world.folder(`${pdf}/empty`);
    world.link(`${pdf}/scripts`, `${pdf}/linked`);
    world.link(`${pdf}/scripts/LICENSE`, `${pdf}/LICENSE`);
    world.link('home', `${pdf}/outside`);
    const { skillResources } = skillResourcesOn(world);
    const list = async (uri: string): Promise<unknown> =>
      (await skillResources.readDirectory(uri, undefined)).resources;
    expect(await list('skill://claude/pdf')).toEqual([
      { uri: 'skill://claude/pdf/LICENSE', name: 'LICENSE', mimeType: 'text/plain', size: 25 },
      { uri: 'skill://claude/pdf/SKILL.md', name: 'SKILL.md', mimeType: 'text/markdown', size: expect.any(Number) },
      { uri: 'skill://claude/pdf/empty', name: 'empty', mimeType: 'inode/directory' },
      { uri: 'skill://claude/pdf/scripts', name: 'scripts', mimeType: 'inode/directory' },
    ]);
    expect(await list('skill://claude/pdf/scripts')).toEqual([
      { uri: 'skill://claude/pdf/scripts/LICENSE', name: 'LICENSE', mimeType: 'text/plain', size: 25 },
      { uri: 'skill://claude/pdf/scripts/blob', name: 'blob', mimeType: 'application/octet-stream', size: 3 },
      { uri: 'skill://claude/pdf/scripts/deep', name: 'deep', mimeType: 'inode/directory' },
    ]);
    expect(await list('skill://claude/pdf/empty')).toEqual([]);
    for (const path of ['linked', 'outside', 'node_modules', 'none', 'scripts/', 'SKILL.md', '../pdf', 'SKILL.md/x']) {
      await expect(list(`skill://claude/pdf/${path}`), path).rejects.toMatchObject({ code: 'not-found' });
    }
    for (const uri of ['skill://claude', 'skill://claude/', 'skill://', 'skill://claude/none', 'file:///']) {
      await expect(list(uri), uri).rejects.toMatchObject({ code: 'not-found' });
    }
  });

  it('is paged', async () => {
    const world = createWorld();
    world.skill(pdf);
    for (let index = 100; index < 340; index++) world.write(`${pdf}/data/${index}.txt`, '');
    const { skillResources } = skillResourcesOn(world);
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await skillResources.readDirectory('skill://claude/pdf/data', cursor);
      names.push(...page.resources.map(({ name }) => name));
      cursor = page.nextCursor;
      rmSync(world.path(`${pdf}/data/${names.at(-1)}`), { force: true });
    } while (cursor !== undefined);
    expect(names).toEqual(Array.from({ length: 240 }, (_, index) => `${index + 100}.txt`));
    const { nextCursor } = await skillResources.readDirectory('skill://claude/pdf/data', undefined);
    await expect(skillResources.readDirectory('skill://claude/pdf', nextCursor)).rejects.toMatchObject({
      code: 'usage',
    });
  });
});
