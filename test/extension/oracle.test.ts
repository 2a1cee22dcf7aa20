import { type Client, SdkError } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { describe, expect, it } from 'vitest';
import type { World } from '../support/world.ts';
import { clientOverHttp, clientOverStdio, type Era, eras } from './clients.ts';
import { cruelLibrary, digestOf } from './library.ts';

const transports: Readonly<Record<string, (world: World, era: Era) => Promise<Client>>> = {
  stdio: clientOverStdio,
  HTTP: clientOverHttp,
};

/** Every file below a folder, by walking down. */
async function walk(skills: SkillsClient, folder: string): Promise<string[]> {
  const { resources } = await skills.readDirectory(folder);
  const below = resources.map(async ({ uri, mimeType }) =>
    mimeType === 'inode/directory' ? walk(skills, uri) : [uri],
  );
  return (await Promise.all(below)).flat();
}

describe("the protocol's own client of the skills extension", () => {
  for (const era of eras) {
    for (const [transport, connect] of Object.entries(transports)) {
      it(`verifies front matter, size and digest of every file over ${transport}, ${era} [C2-EXT-03 C2-EXT-04 C2-EXT-08 C2-EXT-10 C2-EXT-11]`, async () => {
        const skills = new SkillsClient(await connect(cruelLibrary(), era));
        expect([skills.supported, skills.directoryRead]).toEqual([true, true]);
        const { skills: entries } = await skills.list();
        expect(entries).toHaveLength(6);
        for (const entry of entries) {
          expect((await skills.get(entry.uri)).skill).toEqual(entry);
          if (!Array.isArray(entry.resources)) throw new Error(`${entry.uri} is dynamic`);
          for (const { uri, digest, size } of entry.resources) {
            const file = await skills.read(entry, uri);
            expect(file.verified, uri).toBe(true);
            expect([file.bytes.length, digestOf(file.bytes)]).toEqual([size, digest]);
          }
          const { frontmatter } = await skills.read(entry);
          expect(frontmatter).toEqual(entry.frontmatter);
        }
      });
    }

    it(`walks down to the very files that are listed, ${era} [C2-EXT-03 C2-EXT-06]`, async () => {
      const skills = new SkillsClient(await clientOverStdio(cruelLibrary(), era));
      for (const { uri, resources } of (await skills.list()).skills) {
        const found = await walk(skills, uri.replace(/\/SKILL\.md$/, ''));
        expect(found.sort()).toEqual((resources as { uri: string }[]).map((one) => one.uri).sort());
      }
    });
  }

  it('is told of a file that has changed since the skill was described, and gets the new one after', async () => {
    const world = cruelLibrary();
    const skills = new SkillsClient(await clientOverStdio(world, 'modern'));
    const uri = 'skill://claude/pdf/SKILL.md';
    const { skill } = await skills.get(uri);
    world.write('home/.claude/skills/pdf/data.json', '{"a": 2}\n');
    await expect(skills.read(skill, 'data.json')).rejects.toThrow(SdkError);
    const file = await skills.read((await skills.get(uri)).skill, 'data.json');
    expect([file.text, file.verified]).toEqual(['{"a": 2}\n', true]);
  });
});
