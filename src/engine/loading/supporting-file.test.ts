import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { skillResourcesOn } from '../../../test/support/skill-resources.ts';
import { createWorld, type World } from '../../../test/support/world.ts';
import { showHidden } from '../../core/text/hidden.ts';
import type { Skill } from '../../skill/types.ts';
import { readFilePart, readSupportingFile, type SupportingFile, whereIs } from './supporting-file.ts';

const pdf = 'home/.claude/skills/pdf';

async function skillIn(world: World): Promise<Skill> {
  world.skill(pdf);
  const [skill] = (await skillResourcesOn(world).engine.registry.snapshot()).visible;
  if (skill === undefined) throw new Error('no skill');
  return skill;
}

const room = 1000;

type Text = Extract<SupportingFile, { kind: 'text' }>;

function readAll(skill: Skill, path: string, most = room): Text[] {
  const parts: Text[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; offset = parts.at(-1)?.nextOffset) {
    const part = readSupportingFile(skill, path, offset, most);
    expect(part.kind).toBe('text');
    parts.push(part as Text);
  }
  return parts;
}

describe('a supporting file', () => {
  it('is not read from inside a character, and says where the character begins and ends', async () => {
    const world = createWorld();
    world.write(`${pdf}/a.txt`, 'äb€🦀c');
    world.write(`${pdf}/latin.txt`, Buffer.from([0x61, 0xe4, 0xa0, 0x62, 0xff]));
    const skill = await skillIn(world);
    const texts = { 0: 'äb€🦀c', 2: 'b€🦀c', 3: '€🦀c', 6: '🦀c', 10: 'c', 11: '' };
    const inside = { 1: [0, 2], 4: [3, 6], 5: [3, 6], 7: [6, 10], 8: [6, 10], 9: [6, 10] };
    for (const [offset, content] of Object.entries(texts)) {
      expect(readSupportingFile(skill, 'a.txt', Number(offset), room), offset).toMatchObject({ content });
      expect(readFilePart(skill, 'a.txt', Number(offset)), offset).toMatchObject({ content });
    }
    for (const [offset, [start, end]] of Object.entries(inside)) {
      const refusal = expect.objectContaining({
        message: `offset ${offset} of a.txt is inside a character`,
        hint: `Use ${start} or ${end}.`,
      }) as Error;
      expect(() => readSupportingFile(skill, 'a.txt', Number(offset), room), offset).toThrow(refusal);
      expect(() => readFilePart(skill, 'a.txt', Number(offset)), offset).toThrow(refusal);
    }
    expect(readSupportingFile(skill, 'latin.txt', 2, room)).toMatchObject({ kind: 'text' });
  });

  it('is read by its path from the folder of the skill', async () => {
    const world = createWorld();
    world.write(`${pdf}/references/FORMS.md`, '# Forms\n');
    world.write(`${pdf}/empty.txt`, '');
    const skill = await skillIn(world);
    const read = {
      path: 'references/FORMS.md',
      mimeType: 'text/markdown',
      size: 8,
      kind: 'text',
      content: '# Forms\n',
      remarks: [],
    };
    expect(readSupportingFile(skill, 'references/FORMS.md', 0, room)).toEqual(read);
    expect(readSupportingFile(skill, './references/FORMS.md', 0, room)).toEqual(read);
    expect(readSupportingFile(skill, 'references/FORMS.md', 8, room)).toEqual({ ...read, content: '' });
    expect(readSupportingFile(skill, 'empty.txt', 0, room)).toMatchObject({ size: 0, content: '' });
    expect(readSupportingFile(skill, 'SKILL.md', 0, room)).toMatchObject({
      content: expect.stringContaining('name: pdf'),
    });
  });

  it('is given part by part: together they are the file with what it hides made visible, and none takes more room as JSON than it may', async () => {
    const world = createWorld();
    const skill = await skillIn(world);
    const plain = ['a', 'é', '€', '𝒳', 'e\u0301', '\n', '"', '\\', '\u0001', '\ufeff'];
    const joined = [
      'می\u200cخواهم',
      '👩\u200d👧',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      'Donau\u00addampf',
      'שלום!\u200f ',
    ];
    const units = fc.constantFrom(...plain, ...joined);
    const texts = fc.array(units, { minLength: 1, maxLength: 7 }).map((pattern) => Buffer.from(pattern.join('')));
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 12 }).map((some) => Buffer.from(some));
    await fc.assert(
      fc.asyncProperty(fc.oneof(texts, bytes), fc.nat(5), async (pattern, shift) => {
        const file = Buffer.concat([Buffer.alloc(shift, 'x'), ...Array<Buffer>(600).fill(pattern)]);
        world.write(`${pdf}/long.txt`, file);
        const parts = readAll(skill, 'long.txt');
        expect(parts.map(({ content }) => content).join('') === showHidden(file.toString('utf8')).text).toBe(true);
        for (const { content } of parts) expect(JSON.stringify(content).length - 2).toBeLessThanOrEqual(room);
        // Each part begins where the one before ended, and none is so small that it is not worth a call: a byte takes
        // up to nine characters where it is shown by number.
        const ends = parts.map(({ nextOffset }) => nextOffset ?? file.length);
        for (const [at, end] of ends.slice(0, -1).entries())
          expect(end - (ends[at - 1] ?? 0)).toBeGreaterThan(room / 10);
      }),
      { numRuns: 60 },
    );
  });

  it('is text where its name says so, whatever its bytes', async () => {
    const world = createWorld();
    world.write(`${pdf}/latin.csv`, Buffer.from('caf\xe9', 'latin1'));
    world.write(`${pdf}/LICENSE`, 'free');
    world.write(`${pdf}/logo.svg`, '<svg/>');
    world.write(`${pdf}/pointer.png`, 'version https://git-lfs.github.com/spec/v1\n');
    const skill = await skillIn(world);
    for (const [path, mimeType, content] of [
      ['latin.csv', 'text/csv', 'caf\ufffd'],
      ['LICENSE', 'text/plain', 'free'],
      ['logo.svg', 'image/svg+xml', '<svg/>'],
      ['pointer.png', 'text/plain', 'version https://git-lfs.github.com/spec/v1\n'],
    ] as const) {
      expect(readSupportingFile(skill, path, 0, room)).toMatchObject({ kind: 'text', mimeType, content });
    }
  });

  const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0', 'latin1'), Buffer.from('IEND')]);
  const riff = (form: string): Buffer => Buffer.from(`RIFF\x04\0\0\0${form}`, 'latin1');

  it.each([
    ['a.png', png, 'image/png'],
    ['a.jpeg', Buffer.from('\xff\xd8\xff\xe0\0\xff\xd9', 'latin1'), 'image/jpeg'],
    ['a.gif', Buffer.from('GIF89a\0\0;'), 'image/gif'],
    ['a.webp', riff('WEBP'), 'image/webp'],
    ['a.wav', riff('WAVE'), 'audio/wav'],
    ['a.mp3', Buffer.from('\xff\xfb\x90\0', 'latin1'), 'audio/mpeg'],
    ['tagged.mp3', Buffer.from('ID3\x04\0\0'), 'audio/mpeg'],
    ['a.ogg', Buffer.from('OggS\0'), 'audio/ogg'],
    ['a.flac', Buffer.from('fLaC\0'), 'audio/flac'],
    ['a.m4a', Buffer.from('\0\0\0\x20ftypM4A '), 'audio/mp4'],
    ['named-otherwise.jpg', png, 'image/png'],
    ['without-a-name', png, 'image/png'],
  ])('%s is a picture or a sound by its bytes', async (path, bytes, mimeType) => {
    const world = createWorld();
    world.write(`${pdf}/${path}`, bytes);
    const skill = await skillIn(world);
    expect(readSupportingFile(skill, path, 0, room)).toEqual({
      path,
      mimeType,
      size: bytes.length,
      kind: mimeType.slice(0, 5),
      data: bytes.toString('base64'),
    });
    expect(() => readSupportingFile(skill, path, 1, room)).toThrow(/only text can be read from an offset/);
  });

  it.each([
    ['fake.png', Buffer.from([0, 1, 2]), 'application/octet-stream', /its name says image\/png/],
    ['cut.png', png.subarray(0, 20), 'application/octet-stream', /its name says image\/png/],
    ['cut.webp', riff('WEBP').subarray(0, 10), 'application/octet-stream', /its name says image\/webp/],
    ['a.bmp', Buffer.from('BM\0'), 'application/octet-stream', /its name says image\/bmp/],
    ['huge.png', Buffer.concat([png, Buffer.alloc(1024 * 1024)]), 'image/png', /more than 1048576 bytes/],
    ['a.zip', Buffer.from('PK\x03\x04\0'), 'application/zip', /not text, an image or audio/],
    ['data', Buffer.from([0xff, 0xfb, 0x90, 0]), 'application/octet-stream', /not text, an image or audio/],
  ])('%s is not shown', async (path, bytes, mimeType, reason) => {
    const world = createWorld();
    world.write(`${pdf}/${path}`, bytes);
    const skill = await skillIn(world);
    const { size } = { size: bytes.length };
    const shown = { path, mimeType, size, kind: 'other', reason: expect.stringMatching(reason) };
    expect(readSupportingFile(skill, path, 0, room)).toEqual(shown);
    expect(whereIs(skill, path)).toEqual({
      place: world.path(`${pdf}/${path}`),
      uri: `skill://claude/pdf/${path}`,
    });
    // A program gets the bytes all the same.
    expect(readFilePart(skill, path, 0)).toMatchObject({ encoding: 'base64' });
  });

  it('that is not there is answered with near names and their number', async () => {
    const world = createWorld();
    world.write(`${pdf}/references/FORMS.md`, 'x');
    world.write(`${pdf}/scripts/run.py`, 'x');
    const skill = await skillIn(world);
    expect(() => readSupportingFile(skill, 'references/FROMS.md', 0, room)).toThrow(
      expect.objectContaining({
        code: 'not-found',
        suggestions: ['references/FORMS.md'],
        message: "Skill 'pdf' has no file 'references/FROMS.md'; it has 3 files. Did you mean: references/FORMS.md?",
      }),
    );
    expect(() => readSupportingFile(skill, 'references/', 0, room)).toThrow(
      "'references' in skill 'pdf' is a folder; it contains references/FORMS.md",
    );
  });

  it.each(['', '.', './', '/etc/passwd', '../pdf/SKILL.md', 'a//b', 'a\\b', 'a\0b', '/'.repeat(100_000)])(
    'cannot be asked for as %j',
    async (path) => {
      const skill = await skillIn(createWorld());
      expect(() => readSupportingFile(skill, path, 0, room)).toThrow(expect.objectContaining({ code: 'usage' }));
    },
  );

  it.each([-1, 0.5, 9, Number.NaN, Number.POSITIVE_INFINITY, '0' as never])('has no offset %j', async (offset) => {
    const world = createWorld();
    world.write(`${pdf}/a.txt`, '12345678');
    const skill = await skillIn(world);
    expect(() => readSupportingFile(skill, 'a.txt', offset, room)).toThrow(/offset must be a whole number from 0 to 8/);
  });
});
