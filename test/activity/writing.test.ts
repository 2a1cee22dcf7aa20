import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendEvents, eventsBackward } from '../../src/run/audit/activity.ts';
import { createWorld } from '../support/world.ts';
import { environmentOf, eventAt, folderOf, linesIn, namesIn } from './log.ts';

const start = Date.parse('2026-11-15T08:00:00Z');
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => eventAt(start + from + at, { durationMs: from + at }));

describe('the log of activity', () => {
  it('is for its user alone, and read from its end', () => {
    const world = createWorld();
    const environment = environmentOf(world);
    appendEvents(environment, numbered(0, 3));
    appendEvents(environment, numbered(3, 5));
    expect(statSync(folderOf(world)).mode & 0o777).toBe(0o700);
    expect(statSync(join(folderOf(world), 'activity.jsonl')).mode & 0o777).toBe(0o600);
    expect([...eventsBackward(environment)].map(({ durationMs }) => durationMs)).toEqual([4, 3, 2, 1, 0]);
  });

  it('is closed to others again where somebody has opened it', () => {
    const world = createWorld();
    appendEvents(environmentOf(world), numbered(0, 1));
    const file = join(folderOf(world), 'activity.jsonl');
    chmodSync(file, 0o666);
    appendEvents(environmentOf(world), numbered(1, 2));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is put aside when it is full, and what is oldest goes', () => {
    const world = createWorld();
    const environment = environmentOf(world);
    const sizes = { file: 2000, kept: 4000 };
    const seen = () => [...eventsBackward(environment)].map(({ durationMs }) => durationMs);
    for (let at = 0; at < 20; at++) appendEvents(environment, numbered(at, at + 1), sizes);
    expect(seen()).toEqual(
      numbered(0, 20)
        .map(({ durationMs }) => durationMs)
        .reverse(),
    );
    for (let at = 20; at < 400; at++) {
      appendEvents(environment, numbered(at, at + 1), sizes);
      waitForAnotherName();
    }
    const bytes = namesIn(world).reduce((sum, name) => sum + statSync(join(folderOf(world), name)).size, 0);
    expect(bytes).toBeLessThan(sizes.kept + 3 * sizes.file);
    // The newest are there without a gap, and the first are gone.
    const left = seen();
    expect(left[0]).toBe(399);
    expect(left).toEqual(Array.from({ length: left.length }, (_, at) => 399 - at));
    expect(left.length).toBeLessThan(200);

    /** Two that are put aside within a millisecond would share a name, which no file of 8 MiB can do. */
    function waitForAnotherName(): void {
      const until = Date.now() + 1;
      while (Date.now() <= until);
    }
  });

  it('leaves out half lines and whatever others have put there, and nothing after them', () => {
    const world = createWorld();
    const environment = environmentOf(world);
    appendEvents(environment, numbered(0, 2));
    const file = join(folderOf(world), 'activity.jsonl');
    appendFileSync(file, `garbage\n\0\xff\n${'x'.repeat(300_000)}\n[1,2]\n`);
    appendEvents(environment, numbered(2, 3));
    appendFileSync(file, '{"time":"2026-11-15T08:'); // a process was killed here
    appendEvents(environment, numbered(3, 5));
    expect([...eventsBackward(environment)].map(({ durationMs }) => durationMs)).toEqual([4, 3, 2, 1, 0]);
  });

  it('goes on in a new file where somebody has deleted it', () => {
    const world = createWorld();
    appendEvents(environmentOf(world), numbered(0, 2));
    rmSync(folderOf(world), { recursive: true });
    appendEvents(environmentOf(world), numbered(2, 3));
    expect(linesIn(world)).toHaveLength(1);
  });

  it('follows no link out of its folder, and makes no home for who has none', () => {
    const world = createWorld();
    const target = world.write('target', '');
    mkdirSync(folderOf(world), { recursive: true });
    symlinkSync(target, join(folderOf(world), 'activity.jsonl'));
    expect(() => appendEvents(environmentOf(world), numbered(0, 1))).toThrow(/ELOOP/);
    expect([...eventsBackward(environmentOf(world))]).toEqual([]);
    expect(statSync(target).size).toBe(0);
    const homeless = { ...environmentOf(world), home: world.path('nobody'), env: {} };
    appendEvents(homeless, numbered(0, 1));
    expect(existsSync(world.path('nobody'))).toBe(false);
  });

  it('is nothing to who asks before there is any, or for what cannot be read', () => {
    const world = createWorld();
    expect([...eventsBackward(environmentOf(world))]).toEqual([]);
    mkdirSync(join(folderOf(world), 'activity.jsonl'), { recursive: true });
    expect(() => [...eventsBackward(environmentOf(world))]).not.toThrow();
  });

  it('takes the lines of many processes at once, each whole', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    const runs = Array.from({ length: 6 }, () => world.run(['show', 'pdf']));
    for (const { code } of await Promise.all(runs)) expect(code).toBe(0);
    expect(linesIn(world).map((line) => (JSON.parse(line) as { skill: string }).skill)).toEqual(Array(6).fill('pdf'));
  });

  it('is no reason to fail, nor to be told of at a terminal, where it cannot be written', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    writeFileSync(world.path('home/.local'), 'no folder');
    const { code, stderr } = await world.run(['show', 'pdf']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
