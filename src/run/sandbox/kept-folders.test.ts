import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryPlace } from '../../../test/support/place.ts';
import { thisProcess } from '../../core/disk/owner.ts';
import { bytesFile, draftIn, prune, removeKept } from './kept-folders.ts';

const now = Date.now();
const hours = 60 * 60 * 1000;
const halfGiB = 512 * 1024 ** 2;

interface Kept {
  readonly name: string;
  readonly unusedHours: number;
  readonly bytes?: number;
}

function keepIn(base: string, { name, unusedHours, bytes = 1 }: Kept): string {
  const place = join(base, name.padStart(64, '0'));
  mkdirSync(place);
  writeFileSync(join(place, bytesFile), String(bytes));
  return unusedFor(unusedHours, place);
}

function unusedFor(unusedHours: number, place: string): string {
  const usedAt = (now - unusedHours * hours) / 1000;
  utimesSync(place, usedAt, usedAt);
  return place;
}

/** The names of the kept folders without their leading zeros. */
function namesIn(base: string): string[] {
  return readdirSync(base).map((name) => name.replace(/^0+/, ''));
}

it('kept folders unused for a week are removed, and nothing else', async () => {
  const base = temporaryPlace();
  keepIn(base, { name: 'a', unusedHours: 24 });
  keepIn(base, { name: 'b', unusedHours: 24 * 8 });
  writeFileSync(join(base, 'note'), '');
  await prune(base, now);
  expect(namesIn(base)).toEqual(['a', 'note']);
});

it('kept folders of dead processes, and of unknown ones after a day, are removed before a new one is made', async () => {
  const base = temporaryPlace();
  const [, , world] = thisProcess().split('.');
  const left = (owner: string, unusedHours: number): string => {
    const place = join(base, `draft-${owner}-abc`);
    mkdirSync(place);
    return unusedFor(unusedHours, place);
  };
  const own = unusedFor(48, draftIn(base));
  const recent = left('1.1.zzzzzzzzzzzzzzzz', 23);
  const gone = [left(`4194303.1.${world}`, 0), left('2.1.zzzzzzzzzzzzzzzz', 25)];
  draftIn(base);
  await expect.poll(() => gone.filter((place) => existsSync(place))).toEqual([]);
  expect([own, recent].map((place) => existsSync(place))).toEqual([true, true]);
});

it('kept folders unused for longest are removed where all together are too large, and those that may be in use last', async () => {
  const base = temporaryPlace();
  for (const [place, unusedHours] of [0.1, 0.5, 1, 3].entries())
    keepIn(base, { name: `a${place}`, unusedHours, bytes: halfGiB });
  keepIn(base, { name: 'c', unusedHours: 4 });
  await prune(base, now);
  expect(namesIn(base)).toEqual(['a0', 'a1', 'a2']);
  for (let place = 0; place < 8; place++) keepIn(base, { name: `b${place}`, unusedHours: 0.2, bytes: halfGiB });
  await prune(base, now);
  expect(namesIn(base), '4 GiB are the most').toHaveLength(8);
  expect(namesIn(base)).not.toContain('a1');
});

it('kept folders unused for longest are removed where there are too many', async () => {
  const base = temporaryPlace();
  for (let place = 0; place < 300; place++) keepIn(base, { name: `a${place}`, unusedHours: 2 + place / 100 });
  await prune(base, now);
  expect(namesIn(base).toSorted()).toEqual(Array.from({ length: 250 }, (_, place) => `a${place}`).toSorted());
  for (let place = 0; place < 1000; place++) keepIn(base, { name: `b${place}`, unusedHours: 1 });
  await prune(base, now);
  expect(namesIn(base)).toHaveLength(1000);
  expect(namesIn(base).filter((name) => name.startsWith('a'))).toEqual([]);
});

it('a kept folder disappears at once, and removing its files does not block', async () => {
  const base = temporaryPlace();
  const place = keepIn(base, { name: 'a', unusedHours: 0 });
  for (let file = 0; file < 2000; file++) writeFileSync(join(place, String(file)), '');
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  const removing = removeKept(place);
  expect(existsSync(place)).toBe(false);
  await removing;
  clearInterval(counting);
  expect(turns).toBeGreaterThan(2);
  expect(readdirSync(base)).toEqual([]);
});
