import { chmodSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { putFile, replaceFile } from '../../src/core/disk/replace.ts';
import { createWorld } from '../support/world.ts';

describe('replacing a file', () => {
  it('keeps its mode and leaves nothing behind', () => {
    const world = createWorld();
    const file = world.write('a/SKILL.md', 'old');
    chmodSync(file, 0o640);
    expect(replaceFile(file, 'new', lstatSync(file))).toBeNull();
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(lstatSync(file).mode & 0o7777).toBe(0o640);
    expect(readdirSync(world.path('a'))).toEqual(['SKILL.md']);
  });

  it('refuses one that changed since it was read', () => {
    const world = createWorld();
    const file = world.write('a/SKILL.md', 'old');
    const known = lstatSync(file);
    writeFileSync(file, 'mine');
    expect(replaceFile(file, 'new', known)).toBe('it was changed in the meantime');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(readdirSync(world.path('a'))).toEqual(['SKILL.md']);
  });

  it('refuses a link, and one that is gone', () => {
    const world = createWorld();
    const target = world.write('b/real.md', 'old');
    world.folder('a');
    symlinkSync(target, world.path('a/SKILL.md'));
    expect(replaceFile(world.path('a/SKILL.md'), 'new', lstatSync(target))).toBe('it was changed in the meantime');
    expect(readFileSync(target, 'utf8')).toBe('old');
    expect(replaceFile(world.path('a/none.md'), 'new', lstatSync(target))).toBe('ENOENT');
  });
});

describe('putting a file of our own', () => {
  it('replaces whatever is there, for ourselves alone, and leaves nothing behind', () => {
    const world = createWorld();
    const file = world.write('a/kept.json', 'old');
    chmodSync(file, 0o644);
    putFile(file, 'new');
    expect([readFileSync(file, 'utf8'), lstatSync(file).mode & 0o777]).toEqual(['new', 0o600]);
    expect(readdirSync(world.path('a'))).toEqual(['kept.json']);
  });

  it('tells what the system says where it cannot, and leaves nothing behind', () => {
    const world = createWorld();
    const folder = world.folder('a/kept.json');
    expect(() => putFile(folder, 'new')).toThrow(/EISDIR/);
    expect(readdirSync(world.path('a'))).toEqual(['kept.json']);
    expect(() => putFile(world.path('none/kept.json'), 'new')).toThrow(/ENOENT/);
    expect(() => putFile(`${world.write('b/file', '')}/kept.json`, 'new')).toThrow(/ENOTDIR/);
  });
});
