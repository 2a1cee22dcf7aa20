import { rmSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { followActivity } from '../../src/engine/activity/follow.ts';
import { type ActivityRow, appendEvents } from '../../src/run/audit/activity.ts';
import { openAudit } from '../../src/run/audit/writer.ts';
import { endOf } from '../audit/records.ts';
import { createWorld } from '../support/world.ts';
import { environmentOf, eventAt, folderOf } from './log.ts';

/** Follows into a list, until the test ends. */
function following(world: ReturnType<typeof createWorld>) {
  const rows: ActivityRow[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const ended = (async () => {
    for await (const row of followActivity(environmentOf(world), stop.signal)) rows.push(row);
  })();
  const until = (count: number) => expect.poll(() => rows.length).toBe(count);
  return { rows, until, ended, stop: () => stop.abort() };
}

it('what is done from now on is told as it happens, by whichever process, runs too', async () => {
  const world = createWorld();
  const environment = environmentOf(world);
  appendEvents(environment, [eventAt(Date.now(), { skill: 'before' })]);
  const { rows, until, ended, stop } = following(world);
  appendEvents(environment, [eventAt(Date.now(), { skill: 'first' })]);
  await until(1);
  openAudit(environment).end(endOf('run-1', { result: 'denied', exitCode: null }));
  await until(2);
  // A file that is put aside, and one that is deleted, are followed by the next.
  appendEvents(environment, [eventAt(Date.now(), { skill: 'last of its file' })], { file: 1, kept: 1_000_000 });
  appendEvents(environment, [eventAt(Date.now(), { skill: 'next' })]);
  await until(4);
  rmSync(folderOf(world), { recursive: true });
  appendEvents(environment, [eventAt(Date.now(), { skill: 'anew' })]);
  await until(5);
  expect(rows.map(({ skill, outcome }) => `${skill} ${outcome}`)).toEqual([
    'first ok',
    'pods denied',
    'last of its file ok',
    'next ok',
    'anew ok',
  ]);
  expect(rows[1]).toMatchObject({ what: 'ran', execution: 'run-1', detail: 'get', client: 'cli' });
  stop();
  await ended;
});

it('can be followed before there is any log, and left at any time', async () => {
  const world = createWorld();
  const { until, ended, stop } = following(world);
  appendEvents(environmentOf(world), [eventAt(Date.now())]);
  await until(1);
  stop();
  await ended;
  for await (const _row of followActivity(environmentOf(world), AbortSignal.abort()))
    throw new Error('nothing to tell');
});
