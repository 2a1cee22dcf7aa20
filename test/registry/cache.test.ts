import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRoot } from '../support/root.ts';
import { createWorld, type World } from '../support/world.ts';

const cacheFiles = (world: World): string[] => {
  const folder = world.path('cache/repertoire/scan');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
};

/** Long enough that the clock has moved on since the files were written: only then are they remembered. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));

async function warmWorld(): Promise<World> {
  const world = createWorld();
  world.skill('home/.claude/skills/one', { description: 'The first.' });
  world.skill('home/.claude/skills/group/two');
  world.write('home/.claude/skills/broken/SKILL.md', '---\nname: n\n---\n');
  await settle();
  await world.list();
  return world;
}

describe('the scan cache', () => {
  it('gives the same answer warm as cold', async () => {
    const world = await warmWorld();
    const warm = await world.list();
    rmSync(world.path('cache'), { recursive: true });
    expect(await world.list()).toEqual(warm);
    expect(warm.skills.length).toBe(2);
    expect(warm.diagnostics.map((one) => one.code)).toEqual(['field-missing']);
  });

  it('belongs to its user alone', async () => {
    const world = await warmWorld();
    const [file = ''] = cacheFiles(world);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(world.path('cache/repertoire/scan')).mode & 0o777).toBe(0o700);
  });

  it('is used: a file that pretends to be unchanged is not opened', async () => {
    const world = await warmWorld();
    const [file = ''] = cacheFiles(world);
    // Forge what is remembered, checksum and all: if the answer shows it, the SKILL.md was not read.
    const [header = '', payload = ''] = readFileSync(file, 'utf8').split('\n');
    const forged = payload.replace('The first.', 'From memory');
    const { createHash } = await import('node:crypto');
    const sha256 = createHash('sha256').update(forged).digest('hex');
    writeFileSync(file, `${JSON.stringify({ ...JSON.parse(header), sha256 })}\n${forged}`);
    expect((await world.list()).skills.map((skill) => skill.description)).toContain('From memory');
  });

  it.each([
    ['not JSON', (text: string) => text.slice(0, -40)],
    ['one byte changed', (text: string) => text.replace('The first.', 'The First.')],
    ['empty', () => ''],
    ['of another version', (text: string) => text.replace(/"version":\d+/, '"version":999')],
    ['of another root', (text: string) => text.replace('.claude/skills"', '.other/skills"')],
    ['of another program', () => '{"some":"thing else"}\n[]'],
    ['binary', () => '\u0000\u0001\u0002'],
  ])('that is %s is dropped with a note and written anew', async (_what, damage) => {
    const world = await warmWorld();
    const [file = ''] = cacheFiles(world);
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, damage(good));
    const { skills, diagnostics } = await world.list();
    expect(skills.map((skill) => skill.description)).toEqual(['What two does.', 'The first.']);
    expect(diagnostics.find((one) => one.code === 'cache-discarded')).toMatchObject({ file, severity: 'info' });
    const again = await world.list();
    expect(again.diagnostics.map((one) => one.code)).toEqual(['field-missing']);
    expect(readFileSync(file, 'utf8').split('\n')[0]).toBe(good.split('\n')[0]);
  });

  it('that others could have written is not trusted', async () => {
    const world = await warmWorld();
    const [file = ''] = cacheFiles(world);
    chmodSync(file, 0o666);
    expect((await world.list()).diagnostics.map((one) => one.code)).toContain('cache-discarded');
  });

  it.runIf(isRoot)('that another has written is not trusted', async () => {
    const world = await warmWorld();
    const [file = ''] = cacheFiles(world);
    chownSync(file, 65534, 65534);
    expect((await world.list()).diagnostics.map((one) => one.message).join()).toContain('belongs to another user');
  });

  it('that cannot be written is no obstacle', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/one');
    world.write('cache', 'a file where a folder should be');
    const { skills, diagnostics } = await world.list();
    expect(skills.length).toBe(1);
    expect(diagnostics.map((one) => one.code)).toContain('cache-unwritable');
  });

  it('follows every change: edited, added, removed, renamed', async () => {
    const world = await warmWorld();
    world.skill('home/.claude/skills/one', { description: 'Edited.' });
    world.skill('home/.claude/skills/group/three');
    rmSync(world.path('home/.claude/skills/group/two'), { recursive: true });
    world.write('home/.claude/skills/broken/SKILL.md', '---\nname: mended\ndescription: d\n---\n');
    const { skills, diagnostics } = await world.list();
    expect(skills.map((skill) => [skill.name, skill.description])).toEqual([
      ['mended', 'd'],
      ['three', 'What three does.'],
      ['one', 'Edited.'],
    ]);
    expect(diagnostics).toEqual([]);
  });

  it('survives a second root that leads to the same folder', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/one');
    world.link('home/.claude/skills', 'home/.cursor/skills');
    await settle();
    await world.list();
    const [file = ''] = cacheFiles(world);
    expect(readFileSync(file, 'utf8')).toContain('What one does.');
    expect(cacheFiles(world).length).toBe(1);
  });

  it('may be used by many processes at once', async () => {
    const world = await warmWorld();
    rmSync(world.path('cache'), { recursive: true });
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.list()));
    for (const { skills, diagnostics } of answers) {
      expect(skills.length).toBe(2);
      expect(diagnostics.map((one) => one.code)).toEqual(['field-missing']);
    }
    expect(cacheFiles(world).filter((file) => !file.endsWith('.scan'))).toEqual([]);
  });
});
