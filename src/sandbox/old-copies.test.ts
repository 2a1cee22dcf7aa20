import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryPlace } from '../../test/support/place.ts';
import { thisProcess } from '../kernel/owner.ts';
import { bytesFile, draftPrefix, removeOldCopies } from './old-copies.ts';

const now = Date.now();
const hours = 60 * 60 * 1000;

function copy(base: string, letter: string, { unusedHours, bytes }: { unusedHours: number; bytes: number }): string {
  const place = join(base, letter.repeat(64));
  mkdirSync(place);
  writeFileSync(join(place, bytesFile), String(bytes));
  const usedAt = (now - unusedHours * hours) / 1000;
  utimesSync(place, usedAt, usedAt);
  return place;
}

it('removes what nobody has used for a week, and unfinished copies of dead processes', () => {
  const base = temporaryPlace();
  const used = copy(base, 'a', { unusedHours: 24, bytes: 1 });
  const unused = copy(base, 'b', { unusedHours: 24 * 8, bytes: 1 });
  const draft = join(base, `${draftPrefix}${thisProcess().replace(/^\d+\.\d+/, '4194303.1')}-abc`);
  mkdirSync(draft);
  writeFileSync(join(base, 'note'), '');
  removeOldCopies(base, now);
  expect([used, unused].map((place) => existsSync(place))).toEqual([true, false]);
  expect([draft, join(base, 'note')].map((path) => existsSync(path))).toEqual([false, true]);
});

it('removes those unused for longest where all together are too large, and none that may be in use', () => {
  const base = temporaryPlace();
  const half = 600 * 1024 ** 2;
  copy(base, 'a', { unusedHours: 1, bytes: half });
  copy(base, 'b', { unusedHours: 1.5, bytes: half });
  copy(base, 'c', { unusedHours: 3, bytes: half });
  copy(base, 'd', { unusedHours: 4, bytes: 1 });
  removeOldCopies(base, now);
  expect(readdirSync(base).map((name) => name[0])).toEqual(['a', 'b']);
});
