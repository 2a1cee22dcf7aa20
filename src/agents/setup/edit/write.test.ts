import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepBackup, readSettings, sweepDrafts, writeWithBackup } from './write.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-write-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const place = (name: string) => join(folder, name);

describe('writing settings', () => {
  it('keeps the old text beside the new one, for its owner alone', () => {
    const file = place('config.toml');
    writeFileSync(file, 'old');
    chmodSync(file, 0o640);
    const written = writeWithBackup(file, 'old', 'new');
    expect(written).toEqual({ ok: true, file, backup: expect.stringMatching(/config\.toml\.backup-\d{8}-\d{6}$/) });
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(statSync(file).mode & 0o777).toBe(0o640);
    const backup = written.ok ? (written.backup ?? '') : '';
    expect(readFileSync(backup, 'utf8')).toBe('old');
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['config.toml', basename(backup)]);
  });

  it('makes a file and its folders, and keeps nothing where nothing was', () => {
    const file = place('a/b/mcp.json');
    expect(writeWithBackup(file, null, '{}')).toEqual({ ok: true, file, backup: null });
    expect(readSettings(file)).toEqual({ ok: true, text: '{}' });
    expect(statSync(file).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(readdirSync(place('a/b'))).toEqual(['mcp.json']);
  });

  it('writes nothing where nothing changes', () => {
    const file = place('mcp.json');
    writeFileSync(file, 'same');
    const { ino } = statSync(file);
    expect(writeWithBackup(file, 'same', 'same')).toEqual({ ok: true, file, backup: null });
    expect(statSync(file).ino).toBe(ino);
    expect(readdirSync(folder)).toEqual(['mcp.json']);
  });

  it('leaves a file alone that has changed, come or gone since it was read', () => {
    const file = place('mcp.json');
    writeFileSync(file, 'theirs');
    expect(writeWithBackup(file, 'old', 'new')).toEqual({ ok: false, reason: 'it was changed in the meantime' });
    expect(writeWithBackup(file, null, 'new')).toEqual({ ok: false, reason: 'it was changed in the meantime' });
    expect(writeWithBackup(file, 'old', null)).toEqual({ ok: false, reason: 'it was changed in the meantime' });
    expect(readFileSync(file, 'utf8')).toBe('theirs');
    expect(writeWithBackup(place('gone.json'), 'old', 'new')).toEqual({
      ok: false,
      reason: 'it was changed in the meantime',
    });
    expect(readdirSync(folder)).toEqual(['mcp.json']);
  });

  it('keeps a link, and writes what it leads to', () => {
    mkdirSync(place('dotfiles'));
    writeFileSync(place('dotfiles/zed.json'), 'old');
    symlinkSync('dotfiles/zed.json', place('settings.json'));
    symlinkSync('dotfiles/new.json', place('later.json'));
    expect(writeWithBackup(place('settings.json'), 'old', 'new')).toMatchObject({
      ok: true,
      file: place('dotfiles/zed.json'),
    });
    expect(readSettings(place('later.json'))).toEqual({ ok: true, text: null });
    expect(writeWithBackup(place('later.json'), null, 'new')).toMatchObject({
      ok: true,
      file: place('dotfiles/new.json'),
    });
    for (const link of ['settings.json', 'later.json']) {
      expect(lstatSync(place(link)).isSymbolicLink()).toBe(true);
      expect(readFileSync(place(link), 'utf8')).toBe('new');
    }
  });

  it('removes a file that is to have no text, keeps what it had, and leaves an empty one', () => {
    const file = place('mcp.json');
    writeFileSync(file, 'ours');
    const written = writeWithBackup(file, 'ours', null);
    expect(readSettings(file)).toEqual({ ok: true, text: null });
    expect(written.ok && written.backup !== null && readFileSync(written.backup, 'utf8')).toBe('ours');
    writeFileSync(file, 'ours');
    writeWithBackup(file, 'ours', '');
    expect(readSettings(file)).toEqual({ ok: true, text: '' });
  });

  it('says why it failed', () => {
    writeFileSync(place('file'), '');
    expect(writeWithBackup(place('file/mcp.json'), null, 'new')).toMatchObject({ ok: false });
    mkdirSync(place('mcp.json'));
    expect(readSettings(place('mcp.json'))).toEqual({ ok: false, reason: 'not a regular file' });
    expect(writeWithBackup(place('mcp.json'), 'old', 'new')).toEqual({ ok: false, reason: 'not a regular file' });
  });

  it.each([
    ['bytes that are not text', Buffer.from([0x7b, 0xff, 0x7d])],
    ['text in UTF-16', Buffer.from('\ufeff{}', 'utf16le')],
  ])('does not read %s', (_what, bytes) => {
    writeFileSync(place('mcp.json'), bytes);
    expect(readSettings(place('mcp.json'))).toEqual({ ok: false, reason: 'it is not UTF-8 text' });
  });
});

describe('backups', () => {
  it('keep the newest five, and no text twice in a row', () => {
    const file = place('mcp.json');
    writeFileSync(place('mcp.json.backup-mine'), 'not ours');
    const at = (second: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, second));
    const paths = Array.from({ length: 7 }, (_, index) => keepBackup(file, `text ${index}`, at(Math.floor(index / 3))));
    expect(keepBackup(file, 'text 6', at(50))).toBe(paths[6]);
    expect(new Set(paths).size).toBe(7);
    expect(readdirSync(folder).sort()).toEqual(
      ['mcp.json.backup-mine', ...paths.slice(2).map((path) => basename(path))].sort(),
    );
    expect(paths.map((path) => basename(path)).slice(0, 4)).toEqual([
      'mcp.json.backup-20300101-000000',
      'mcp.json.backup-20300101-000000-2',
      'mcp.json.backup-20300101-000000-3',
      'mcp.json.backup-20300101-000001',
    ]);
  });

  it('are not crowded by drafts of processes that were killed', () => {
    const old = new Date(Date.now() - 3_600_000);
    const names = [
      '.mcp.json.4194304.abc',
      `.mcp.json.${process.pid}.abc`,
      '.mcp.json.4194304',
      '.other.json.4194304.abc',
    ];
    for (const name of names) {
      writeFileSync(place(name), '');
      utimesSync(place(name), old, old);
    }
    writeFileSync(place('.mcp.json.4194304.new'), '');
    writeFileSync(place('.mcp.json.backup-20300101-000000-2.4194304.abc'), '');
    utimesSync(place('.mcp.json.backup-20300101-000000-2.4194304.abc'), old, old);
    sweepDrafts(place('mcp.json'));
    expect(readdirSync(folder).sort()).toEqual([...names.slice(1), '.mcp.json.4194304.new'].sort());
  });
});
