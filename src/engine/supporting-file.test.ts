import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shelfOn } from '../../test/support/shelf.ts';
import { createWorld, type World } from '../../test/support/world.ts';
import type { Skill } from '../skill/types.ts';
import { readSupportingFile, type SupportingFile } from './supporting-file.ts';

const pdf = 'home/.claude/skills/pdf';

async function skillIn(world: World): Promise<Skill> {
  world.skill(pdf);
  const [skill] = (await shelfOn(world).engine.registry.snapshot()).visible;
  if (skill === undefined) throw new Error('no skill');
  return skill;
}

function readAll(skill: Skill, path: string): SupportingFile[] {
  const parts: SupportingFile[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; offset = parts.at(-1)?.nextOffset) {
    parts.push(readSupportingFile(skill, path, offset));
  }
  return parts;
}

describe('a supporting file', () => {
  it('is read by its path from the folder of the skill', async () => {
    const world = createWorld();
    world.write(`${pdf}/references/FORMS.md`, '# Forms\n');
    world.write(`${pdf}/empty.txt`, '');
    const skill = await skillIn(world);
    const read = {
      path: 'references/FORMS.md',
      mimeType: 'text/markdown',
      size: 8,
      encoding: 'text',
      content: '# Forms\n',
    };
    expect(readSupportingFile(skill, 'references/FORMS.md', 0)).toEqual(read);
    expect(readSupportingFile(skill, './references/FORMS.md', 0)).toEqual(read);
    expect(readSupportingFile(skill, 'references/FORMS.md', 8)).toEqual({ ...read, content: '' });
    expect(readSupportingFile(skill, 'empty.txt', 0)).toMatchObject({ size: 0, content: '' });
    expect(readSupportingFile(skill, 'SKILL.md', 0).content).toContain('name: pdf');
  });

  it('is given page by page, with no character cut in half', async () => {
    const world = createWorld();
    const skill = await skillIn(world);
    const units = fc.constantFrom('a', 'é', '€', '𝒳', '\n');
    await fc.assert(
      fc.asyncProperty(fc.array(units, { minLength: 1, maxLength: 5 }), fc.nat(3), async (pattern, shift) => {
        const text = 'x'.repeat(shift) + pattern.join('').repeat(30_000);
        world.write(`${pdf}/long.txt`, text);
        const parts = readAll(skill, 'long.txt');
        expect(parts.map(({ content }) => content).join('')).toBe(text);
        for (const { content } of parts) expect(Buffer.byteLength(content)).toBeLessThanOrEqual(64 * 1024);
      }),
      { numRuns: 15 },
    );
  });

  it('is text where its name says so, whatever its bytes, and base64 where it is none', async () => {
    const world = createWorld();
    world.write(`${pdf}/latin.csv`, Buffer.from('caf\xe9', 'latin1'));
    world.write(`${pdf}/LICENSE`, 'free');
    const logo = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]);
    world.write(`${pdf}/logo.png`, logo);
    world.write(`${pdf}/data`, Buffer.from([0, 1]));
    const skill = await skillIn(world);
    expect(readSupportingFile(skill, 'latin.csv', 0)).toMatchObject({ mimeType: 'text/csv', content: 'caf\ufffd' });
    expect(readSupportingFile(skill, 'LICENSE', 0)).toMatchObject({ mimeType: 'text/plain', encoding: 'text' });
    expect(readSupportingFile(skill, 'logo.png', 0)).toEqual({
      path: 'logo.png',
      mimeType: 'image/png',
      size: 6,
      encoding: 'base64',
      content: logo.toString('base64'),
    });
    expect(readSupportingFile(skill, 'data', 0)).toMatchObject({ mimeType: 'application/octet-stream' });
    expect(() => readSupportingFile(skill, 'logo.png', 1)).toThrow(/only text can be read from an offset/);
  });

  it('is not given where it is large and no text, but said where it is', async () => {
    const world = createWorld();
    world.write(`${pdf}/a b.zip`, Buffer.alloc(300_000));
    const skill = await skillIn(world);
    expect(() => readSupportingFile(skill, 'a b.zip', 0)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringContaining('application/zip of 300000 bytes'),
        hint: expect.stringContaining('skill://claude/pdf/a%20b.zip'),
      }),
    );
  });

  it('that is not there is answered with near names and their number', async () => {
    const world = createWorld();
    world.write(`${pdf}/references/FORMS.md`, 'x');
    world.write(`${pdf}/scripts/run.py`, 'x');
    const skill = await skillIn(world);
    expect(() => readSupportingFile(skill, 'references/FROMS.md', 0)).toThrow(
      expect.objectContaining({
        code: 'not-found',
        suggestions: ['references/FORMS.md'],
        message: "Skill 'pdf' has no file 'references/FROMS.md'; it has 3 files. Did you mean: references/FORMS.md?",
      }),
    );
    expect(() => readSupportingFile(skill, 'references/', 0)).toThrow(
      "'references' in skill 'pdf' is a folder; it holds references/FORMS.md",
    );
  });

  it.each(['', '.', './', '/etc/passwd', '../pdf/SKILL.md', 'a//b', 'a\\b', 'a\0b', '/'.repeat(100_000)])(
    'cannot be asked for as %j',
    async (path) => {
      const skill = await skillIn(createWorld());
      expect(() => readSupportingFile(skill, path, 0)).toThrow(expect.objectContaining({ code: 'usage' }));
    },
  );

  it.each([-1, 0.5, 9, Number.NaN, Number.POSITIVE_INFINITY, '0' as never])('has no offset %j', async (offset) => {
    const world = createWorld();
    world.write(`${pdf}/a.txt`, '12345678');
    const skill = await skillIn(world);
    expect(() => readSupportingFile(skill, 'a.txt', offset)).toThrow(/offset must be a whole number from 0 to 8/);
  });
});
