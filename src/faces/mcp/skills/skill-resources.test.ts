import { createHash } from 'node:crypto';
import { rmSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { installPlugins } from '../../../../test/names/machine.ts';
import { type ResourceFixture, skillResourcesOn } from '../../../../test/support/skill-resources.ts';
import { createWorld } from '../../../../test/support/world.ts';
import type { Content } from './skill-resources.ts';

const skills = 'home/.claude/skills';

function bytesOf(content: Content): Buffer {
  return 'text' in content ? Buffer.from(content.text) : Buffer.from(content.blob, 'base64');
}

function digest(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

async function uris({ skillResources }: ResourceFixture): Promise<string[]> {
  return (await skillResources.listSkills(undefined)).skills.map(({ uri }) => uri);
}

describe('skills/list and skills/get', () => {
  it('describe a skill with every file of it, and reading gives the very bytes described', async () => {
    const world = createWorld();
    world.skill(`${skills}/pdf`, { extra: 'license: MIT\nmetadata:\n  version: "1.0"' });
    world.write(`${skills}/pdf/references/FORMS & more.md`, '\ufeff# Forms\r\n');
    world.write(`${skills}/pdf/.hidden`, 'x');
    world.write(`${skills}/pdf/logo.png`, Buffer.from([0x89, 0x50, 0, 255]));
    world.write(`${skills}/pdf/latin.txt`, Buffer.from([0x61, 0xe9]));
    world.write(`${skills}/pdf/50%.csv`, '\0,\u2028');
    world.write(`${skills}/pdf/.git/config`, 'not a file of the skill');
    const { skillResources } = skillResourcesOn(world);
    const page = await skillResources.listSkills(undefined);
    expect(page).not.toHaveProperty('nextCursor');
    const [entry] = page.skills;
    expect(entry).toMatchObject({
      uri: 'skill://claude/pdf/SKILL.md',
      frontmatter: { name: 'pdf', description: 'What pdf does.', license: 'MIT', metadata: { version: '1.0' } },
    });
    expect(await skillResources.getSkill('skill://claude/pdf/SKILL.md')).toEqual(entry);
    expect(entry?.resources.map(({ uri }) => uri)).toEqual([
      'skill://claude/pdf/.hidden',
      'skill://claude/pdf/50%25.csv',
      'skill://claude/pdf/SKILL.md',
      'skill://claude/pdf/latin.txt',
      'skill://claude/pdf/logo.png',
      'skill://claude/pdf/references/FORMS%20%26%20more.md',
    ]);
    for (const resource of entry?.resources ?? []) {
      expect(new URL(resource.uri).href).toBe(resource.uri);
      const bytes = bytesOf((await skillResources.read(resource.uri)).contents[0]);
      expect({ digest: digest(bytes), size: bytes.length }).toEqual({ digest: resource.digest, size: resource.size });
    }
  });

  it('give the files of a nested skill to both, and each its own entry', async () => {
    const world = createWorld();
    world.skill(`${skills}/outer`);
    world.skill(`${skills}/outer/inner`);
    const fixture = skillResourcesOn(world);
    expect(await uris(fixture)).toEqual(['skill://claude/inner/SKILL.md', 'skill://claude/outer/SKILL.md']);
    const { resources } = await fixture.skillResources.getSkill('skill://claude/outer/SKILL.md');
    expect(resources.map(({ uri }) => uri)).toContain('skill://claude/outer/inner/SKILL.md');
    await expect(fixture.skillResources.getSkill('skill://claude/outer/inner/SKILL.md')).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('serve skill.md as SKILL.md, and by no other name', async () => {
    const world = createWorld();
    world.write(`${skills}/low/skill.md`, '---\nname: low\ndescription: Low.\n---\n');
    const { skillResources } = skillResourcesOn(world);
    const { resources } = await skillResources.getSkill('skill://claude/low/SKILL.md');
    expect(resources.map(({ uri }) => uri)).toEqual(['skill://claude/low/SKILL.md']);
    expect((await skillResources.read('skill://claude/low/SKILL.md')).contents[0]).toMatchObject({
      mimeType: 'text/markdown',
    });
    await expect(skillResources.read('skill://claude/low/skill.md')).rejects.toMatchObject({ code: 'not-found' });
    const { resources: children } = await skillResources.readDirectory('skill://claude/low', undefined);
    expect(children.map(({ name }) => name)).toEqual(['SKILL.md']);
  });

  it('name the plugin in the address, and the marketplace where two plugins share a name', async () => {
    const world = createWorld();
    installPlugins(world, { 'one@first': ['docx'], 'two@first': ['pptx'], 'two@second': ['pptx', 'xlsx'] });
    const fixture = skillResourcesOn(world);
    const list = await uris(fixture);
    expect(list).toHaveLength(4);
    expect(list).toEqual(
      expect.arrayContaining(['skill://claude/one/docx/SKILL.md', 'skill://claude/two/xlsx/SKILL.md']),
    );
    const pptx = list.filter((uri) => uri.includes('pptx'));
    expect(pptx).toEqual([expect.stringMatching(/two%40(first|second)\/pptx/), 'skill://claude/two/pptx/SKILL.md']);
    for (const uri of list) expect(await fixture.skillResources.getSkill(uri)).toMatchObject({ uri });
  });

  it('keep the skills of a plugin apart from the folders of a skill that is called like it', async () => {
    const world = createWorld();
    world.skill(`${skills}/pdf`);
    world.write(`${skills}/pdf/forms/SKILL.md`, '---\nname: other\ndescription: Other.\n---\n');
    installPlugins(world, { 'pdf@market': ['forms'] });
    const { skillResources } = skillResourcesOn(world);
    const { skills: entries } = await skillResources.listSkills(undefined);
    const all = entries.flatMap(({ resources }) => resources.map(({ uri }) => uri));
    expect(new Set(all).size).toBe(all.length);
    expect(entries.map(({ uri }) => uri)).toContain('skill://claude/pdf%40market/forms/SKILL.md');
  });

  it('give an address to one of two that would share it, and report the other', async () => {
    const world = createWorld();
    world.skill(`project/.claude/skills/pdf`, { description: 'Mine.' });
    world.skill(`${skills}/pdf`);
    const fixture = skillResourcesOn(world, { include: ['all'] });
    expect((await fixture.skillResources.listSkills(undefined)).skills).toMatchObject([
      { frontmatter: { description: 'Mine.' } },
    ]);
    expect(fixture.logged).toEqual(['Left out of the skills extension: another skill has its address already']);
  });

  it('write a provider so that it can be an authority', async () => {
    const world = createWorld();
    world.skill('elsewhere/pdf');
    const fixture = skillResourcesOn(world, { skillDirs: [`${world.path('elsewhere')}?scope=My team@work`] });
    expect(await uris(fixture)).toEqual(['skill://My%20team%40work/pdf/SKILL.md']);
    expect(await fixture.skillResources.read('skill://My%20team%40work/pdf/SKILL.md')).toMatchObject({
      contents: [{}],
    });
  });

  it('are not disturbed by a name that no address can hold', async () => {
    const world = createWorld();
    world.skill(`${skills}/pdf`);
    world.skill(`${skills}/half`, { name: '"half \\uD800"' });
    const fixture = skillResourcesOn(world);
    expect((await fixture.engine.registry.snapshot()).visible).toHaveLength(2);
    expect(await uris(fixture)).toEqual(['skill://claude/pdf/SKILL.md']);
  });

  it('show a change at once, though its time and size are the same', async () => {
    const world = createWorld();
    world.skill(`${skills}/pdf`);
    const file = world.write(`${skills}/pdf/a.txt`, 'one');
    const long = new Date(Date.now() - 100_000);
    utimesSync(file, long, long);
    const { skillResources } = skillResourcesOn(world);
    const digestNow = async (): Promise<string | undefined> =>
      (await skillResources.getSkill('skill://claude/pdf/SKILL.md')).resources.find(({ uri }) => uri.endsWith('a.txt'))
        ?.digest;
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(await digestNow()).toBe(digest(Buffer.from('one')));
    world.write(`${skills}/pdf/a.txt`, 'two');
    utimesSync(file, long, long);
    expect(await digestNow()).toBe(digest(Buffer.from('two')));
    rmSync(file);
    expect(await digestNow()).toBeUndefined();
    await expect(skillResources.read('skill://claude/pdf/a.txt')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('follow the file where it says something else than the registry, which has not looked again', async () => {
    const world = createWorld();
    world.skill(`${skills}/pdf`);
    const { skillResources, engine } = skillResourcesOn(world);
    await engine.registry.refresh();
    engine.registry.refresh = () => engine.registry.snapshot();
    world.skill(`${skills}/pdf`, { description: 'New.' });
    expect(await skillResources.getSkill('skill://claude/pdf/SKILL.md')).toMatchObject({
      frontmatter: { description: 'New.' },
    });
    world.skill(`${skills}/pdf`, { name: 'renamed' });
    await expect(skillResources.getSkill('skill://claude/pdf/SKILL.md')).rejects.toThrow(/has just changed/);
    world.write(`${skills}/pdf/SKILL.md`, '');
    setTimeout(() => world.skill(`${skills}/pdf`), 20);
    expect(await skillResources.getSkill('skill://claude/pdf/SKILL.md')).toMatchObject({
      frontmatter: { name: 'pdf' },
    });
  });
});
