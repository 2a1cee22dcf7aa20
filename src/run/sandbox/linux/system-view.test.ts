import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { turnedPath } from './system-view.ts';

function foldersIn(...names: readonly string[]): readonly string[] {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mounted-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folders = names.map((name) => join(root, name));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  return folders;
}

it('a path that was replaced by a link or another folder is detected', () => {
  const [meant = '', deep = '', other = ''] = foldersIn('meant', 'meant/deep', 'other');
  // Seen from this process, everything is at its own path.
  const turned = (source: string, seen: string) =>
    turnedPath(process.pid, [{ source, target: seen, access: 'read' }]) !== null;
  expect([turned(meant, meant), turned(deep, deep)]).toEqual([false, false]);
  expect([turned(meant, other), turned(meant, '/nowhere')]).toEqual([true, true]);
  renameSync(meant, `${meant}-kept`);
  expect(turned(meant, meant)).toBe(true);
  symlinkSync(other, meant);
  // The link leads to the same file in both cases; being a link is what counts.
  expect([turned(meant, meant), turned(deep, deep)]).toEqual([true, true]);
  expect(turned(other, other)).toBe(false);
});
