import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { skillResourcesOn } from '../support/skill-resources.ts';
import { createWorld, type World } from '../support/world.ts';

const skills = 'home/.claude/skills';

function manyFiles(world: World, folder: string, number: number): void {
  mkdirSync(world.path(`${folder}/data`), { recursive: true });
  for (let index = 0; index < number; index++) writeFileSync(world.path(`${folder}/data/${index}`), '');
}

/** What the extension cannot carry, and why: each makes a skill called `odd`, or nearly so. */
const cases: Record<string, readonly [make: (world: World) => void, reason: RegExp]> = {
  'a name with blanks': [(world) => world.skill(`${skills}/odd`, { name: 'Odd One' }), /its name is not/],
  'a name of another script': [(world) => world.skill(`${skills}/odd`, { name: 'größe' }), /its name is not/],
  'a long name': [(world) => world.skill(`${skills}/odd`, { name: 'o'.repeat(65) }), /its name is not/],
  'two hyphens': [(world) => world.skill(`${skills}/odd`, { name: 'odd--one' }), /its name is not/],
  'a number for a name': [(world) => world.skill(`${skills}/odd`, { name: '7' }), /its name is not/],
  'a number for a description': [(world) => world.skill(`${skills}/odd`, { description: '7' }), /its description/],
  'a long description': [(world) => world.skill(`${skills}/odd`, { description: 'é'.repeat(1025) }), /its description/],
  'metadata of numbers': [(world) => world.skill(`${skills}/odd`, { extra: 'metadata: {version: 1}' }), /its metadata/],
  'no compatibility': [(world) => world.skill(`${skills}/odd`, { extra: 'compatibility:' }), /its compatibility/],
  'a repaired front matter': [(world) => world.skill(`${skills}/odd`, { description: 'a: b' }), /not strict YAML/],
  'an alias': [(world) => world.skill(`${skills}/odd`, { extra: 'a: &x b\nc: *x' }), /an anchor or alias/],
  'a key twice': [(world) => world.skill(`${skills}/odd`, { extra: 'a: {b: 1, b: 2}' }), /appears twice/],
  'front matter that is late': [
    (world) => world.write(`${skills}/odd/SKILL.md`, '\n---\nname: odd\ndescription: d\n---\n'),
    /not strict YAML|is not between/,
  ],
  'bytes that are no text': [
    (world) =>
      world.write(`${skills}/odd/SKILL.md`, Buffer.from('---\nname: odd\ndescription: d\n---\n\xff', 'latin1')),
    /not UTF-8/,
  ],
  '513 files': [
    (world) => {
      world.skill(`${skills}/odd`);
      manyFiles(world, `${skills}/odd`, 512);
    },
    /more than 512 files/,
  ],
  'more than 16 MiB': [
    (world) => {
      world.skill(`${skills}/odd`);
      world.write(`${skills}/odd/large.bin`, Buffer.alloc(16 * 1024 * 1024));
    },
    /larger than 16 MiB/,
  ],
  'a file that no address can name': [
    (world) => {
      world.skill(`${skills}/odd`);
      world.write(`${skills}/odd/a\\b.txt`, 'x');
    },
    /cannot be written as an address/,
  ],
  'a folder in the place of SKILL.md': [
    (world) => {
      world.write(`${skills}/odd/skill.md`, '---\nname: odd\ndescription: d\n---\n');
      world.write(`${skills}/odd/SKILL.md/x`, 'x');
    },
    /cannot be written as an address/,
  ],
};

describe('what the extension cannot carry', () => {
  it.each(Object.entries(cases))('is left out and told of once: %s', async (_what, [make, reason]) => {
    const world = createWorld();
    world.skill(`${skills}/fine`);
    make(world);
    const { skillResources, logged, engine } = skillResourcesOn(world);
    for (let turn = 0; turn < 2; turn++) {
      expect((await skillResources.listSkills(undefined)).skills.map(({ uri }) => uri)).toEqual([
        'skill://claude/fine/SKILL.md',
      ]);
      expect((await skillResources.listResources(undefined)).resources).toHaveLength(1);
    }
    expect(logged).toEqual([expect.stringMatching(reason)]);
    const odd = (await engine.registry.snapshot()).visible.find((skill) => skill.name !== 'fine');
    const root = `skill://claude/${encodeURIComponent(odd?.name ?? '')}`;
    const refused = { code: 'not-found', message: expect.stringMatching(reason) };
    await expect(skillResources.getSkill(`${root}/SKILL.md`)).rejects.toMatchObject(refused);
    await expect(skillResources.read(`${root}/SKILL.md`)).rejects.toMatchObject(refused);
    await expect(skillResources.readDirectory(root, undefined)).rejects.toMatchObject(refused);
    expect(logged).toHaveLength(1);
    const { diagnostics } = (await world.run(['doctor', '--json'])).json<{ diagnostics: Record<string, string>[] }>();
    expect(diagnostics.filter(({ code }) => code === 'extension-excluded')).toEqual([
      expect.objectContaining({ severity: 'info', file: odd?.file, message: expect.stringMatching(reason) }),
    ]);
    expect((await world.run(['show', odd?.fullName ?? ''])).code).toBe(0);
  });

  it('is not what is just within the limits', async () => {
    const world = createWorld();
    world.skill(`${skills}/full`, { description: '𝒳'.repeat(1024) });
    manyFiles(world, `${skills}/full`, 511);
    world.skill(`${skills}/large`);
    world.write(`${skills}/large/large.bin`, Buffer.alloc(16 * 1024 * 1024 - 1024));
    const { skillResources, logged } = skillResourcesOn(world);
    const { skills: entries } = await skillResources.listSkills(undefined);
    expect(entries.map(({ resources }) => resources.length)).toEqual([512, 2]);
    expect(logged).toEqual([]);
  });

  it('does not fill the log', async () => {
    const world = createWorld();
    for (let index = 0; index < 40; index++) world.skill(`${skills}/s${index}`, { extra: 'metadata: {version: 1}' });
    const { skillResources, logged } = skillResourcesOn(world);
    await skillResources.listSkills(undefined);
    await skillResources.listResources(undefined);
    expect(logged).toHaveLength(21);
    expect(logged.at(-1)).toMatch(/repertoire doctor/);
  });
});
