import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { engineOn, readOf } from './engine.ts';

const pdf = 'home/.claude/skills/pdf';
const secret = 'secret of somebody else';

function treacherous(): World {
  const world = createWorld();
  world.skill(pdf);
  world.write(`${pdf}/a/b.txt`, 'own');
  world.write('home/secret.txt', secret);
  world.write('home/.claude/skills/other/secret.txt', secret);
  world.link('home/secret.txt', `${pdf}/link.txt`);
  world.link('home', `${pdf}/folder`);
  world.link(`${pdf}/a/b.txt`, `${pdf}/inside.txt`);
  return world;
}

describe('reading a file of a skill', () => {
  it('gives its text, as far as it goes', async () => {
    const engine = engineOn(treacherous());
    expect(await readOf(engine, 'pdf', 'a/b.txt')).toEqual({
      skill: 'pdf',
      path: 'a/b.txt',
      mimeType: 'text/plain',
      size: 3,
      encoding: 'utf8',
      content: 'own',
      nextOffset: null,
    });
    expect((await readOf(engine, 'claude:pdf', 'SKILL.md')).content).toContain('name: pdf');
    expect((await readOf(engine, 'pdf', 'inside.txt')).content).toBe('own');
    expect((await readOf(engine, 'pdf', 'a/b.txt', 2)).content).toBe('n');
  });

  it.each([
    ['text', 'long.txt', Buffer.from('aé€'.repeat(50_000))],
    ['anything else', 'long.png', Buffer.from(Array.from({ length: 700_000 }, (_, at) => (at * 7) % 256))],
  ])('gives %s in parts that make up the whole', async (_what, path, bytes) => {
    const world = createWorld();
    world.skill(pdf);
    world.write(`${pdf}/${path}`, bytes);
    const engine = engineOn(world);
    const parts: Buffer[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const part = await readOf(engine, 'pdf', path, offset);
      expect(part.size).toBe(bytes.length);
      parts.push(Buffer.from(part.content, part.encoding));
      offset = part.nextOffset;
    }
    expect(parts.length).toBeGreaterThan(2);
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });

  it('reads that of one which no name leads to by its own file', async () => {
    const world = createWorld();
    world.skill('project/.claude/skills/pdf');
    world.skill(pdf);
    world.write(`${pdf}/only-here.txt`, 'hidden');
    const engine = engineOn(world);
    await expect(readOf(engine, 'pdf', 'only-here.txt')).rejects.toMatchObject({ code: 'not-found' });
    const file = world.path(`${pdf}/SKILL.md`);
    expect((await readOf(engine, 'pdf', 'only-here.txt', 0, file)).content).toBe('hidden');
  });

  it.each([
    '',
    '.',
    '..',
    '../other/secret.txt',
    'a/../../other/secret.txt',
    '/etc/passwd',
    '..\\other\\secret.txt',
    'a\\..\\b.txt',
    'a//b.txt',
    'a/b.txt\0.png',
    '%2e%2e/other/secret.txt',
    '..%2fother%2fsecret.txt',
    'link.txt',
    'folder/secret.txt',
    'folder',
    '.git/config',
    'a',
  ])('refuses %j', async (path) => {
    const engine = engineOn(treacherous());
    const answer = await readOf(engine, 'pdf', path).catch((error: unknown) => error as { code: string });
    expect(answer).toMatchObject({ code: expect.stringMatching(/^(?:usage|not-found)$/) });
    expect(JSON.stringify(answer)).not.toContain(secret);
  });

  it('refuses an offset past the end', async () => {
    const engine = engineOn(treacherous());
    await expect(readOf(engine, 'pdf', 'a/b.txt', 4)).rejects.toMatchObject({ code: 'usage' });
  });
});
