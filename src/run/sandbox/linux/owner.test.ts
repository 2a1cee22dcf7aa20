import { chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { thisProcess } from '../../../core/disk/owner.ts';
import { orphansIn } from './owner.ts';

const [, , world] = thisProcess().split('.');
/** The name of a dead process: kernels give no process number as large as this. */
const dead = `99999999.1.${world}`;

function folderWith(prepare: (folder: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'owner-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  prepare(folder);
  return folder;
}

it('the search for orphans finds the folders of dead processes, and no others', () => {
  const folder = folderWith((at) => {
    for (const name of [`a-${dead}-x`, `a-${thisProcess()}-x`, `b-${dead}-x`, 'a-x']) mkdirSync(join(at, name));
  });
  expect(orphansIn(folder, 'a-')).toEqual([join(folder, `a-${dead}-x`)]);
});

it('the search for orphans leaves links and files alone, whatever they are called', () => {
  const folder = folderWith((at) => {
    symlinkSync(tmpdir(), join(at, `a-${dead}-link`));
    writeFileSync(join(at, `a-${dead}-file`), '');
  });
  expect(orphansIn(folder, 'a-')).toEqual([]);
});

it.runIf(process.getuid?.() === 0)('the search for orphans leaves folders of another user alone', () => {
  const folder = folderWith((at) => {
    mkdirSync(join(at, `a-${dead}-theirs`));
    chownSync(join(at, `a-${dead}-theirs`), 54_321, 54_321);
  });
  expect(orphansIn(folder, 'a-')).toEqual([]);
});
