import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { isGone, lifeOf, thisProcess } from './owner.ts';

const [pid = '', started = '', world = ''] = thisProcess().split('.');
const [host, boot, namespace] = [world.slice(0, 6), world.slice(6, 12), world.slice(12)];
const ended = spawnSync(process.execPath, ['-e', '']).pid;
const day = 24 * 60 * 60 * 1000;

it('an owner with the same boot and namespace is judged by its process id', () => {
  expect(lifeOf(thisProcess())).toBe('alive');
  expect(lifeOf(`${ended}.1.${world}`)).toBe('dead');
  expect(lifeOf(`${pid}.${Number(started) - 1}.${world}`), 'the number was given to another').toBe('dead');
  expect(lifeOf(`${pid}.${started}.zzzzzz${boot}${namespace}`), 'the host was renamed').toBe('alive');
});

it('an owner from an earlier boot of the same host is dead', () => {
  expect(lifeOf(`${pid}.${started}.${host}zzzzzz${namespace}`)).toBe('dead');
  expect(lifeOf(`${pid}.${started}.${host}zzzzzzzzzz`)).toBe('dead');
});

it.each([
  ['another host', `${ended}.1.zzzzzzzzzzzz${namespace}`],
  ['another container of this host', `${ended}.1.${host}${boot}zzzz`],
  ['an earlier version', `${ended}.1.4026531836`],
])('an owner in %s counts as alive for a day after its last sign of life', (_, owner) => {
  expect(lifeOf(owner)).toBe('unknown');
  expect(isGone(owner, Date.now() - day + 60_000)).toBe(false);
  expect(isGone(owner, Date.now() - day - 60_000)).toBe(true);
});

it('a text that is not an owner never counts as gone', () => {
  for (const name of ['', 'libpod_parent', '12.x']) expect([lifeOf(name), isGone(name, 0)]).toEqual(['unknown', false]);
});
