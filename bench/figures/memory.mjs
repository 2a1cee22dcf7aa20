import { setTimeout as sleep } from 'node:timers/promises';
import { residentMbOf, startServer } from '../clients/server.mjs';
import { startStdio } from '../clients/stdio.mjs';
import { floorFile, probeFile, summary, tellOf } from '../measure.mjs';
import { many } from './figure.mjs';

const mega = 1e6;

/**
 * What a snapshot holds in memory: right after files were read, and when all came from the cache.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function heap(sandbox, quick) {
  const times = quick ? 1 : 3;
  const empty = await heapOf(sandbox, 0, times, true);
  const rows = [];
  for (const [count, limit] of [
    [100, 10],
    [many, 60],
  ]) {
    for (const isCold of [true, false]) {
      const full = await heapOf(sandbox, count, times, isCold);
      rows.push({
        name: `growth with ${count} skills, ${isCold ? 'read' : 'from the cache'}, indexed`,
        unit: 'MB',
        subject: summary(full.map((bytes, index) => (bytes - (empty[index] ?? Number.NaN)) / mega)),
        floor: summary(empty.map((bytes) => bytes / mega)),
        floorName: 'empty registry',
        judged: /** @type {const} */ ('subject'),
        limit,
      });
    }
  }
  return rows;
}

async function heapOf(sandbox, count, times, isCold) {
  const catalogue = await sandbox.catalogue(count);
  const sizes = [];
  while (sizes.length < times) {
    if (isCold) sandbox.clearCache();
    sizes.push((await tellOf(sandbox, catalogue, ['--expose-gc', probeFile('library'), 'heap'])).indexed);
  }
  return sizes;
}

const count = 1000;
const limit = 75;

/** When a server is looked at, and what is promised of it then. */
const moments = [
  { moment: 'listed', name: 'after tools/list', judged: 'subject', limit },
  { moment: 'called', name: 'after the first call', judged: 'subject', limit },
  { moment: 'settled', name: 'four seconds later' },
];

/**
 * What a server holds in memory beside every session of an agent: with the skills read and the tools told, when the
 * first call has brought in the protocol library, and when all that follows a start is done.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function resident(sandbox, quick) {
  const catalogue = await sandbox.catalogue(count);
  const times = quick ? 2 : 5;
  const rows = [];
  const idle = [];
  while (idle.length < times) idle.push(await idleNode(sandbox, catalogue));
  for (const { state, isCold } of [
    { state: 'read', isCold: true },
    { state: 'from the cache', isCold: false },
  ]) {
    const samples = [];
    while (samples.length < times) {
      if (isCold) sandbox.clearCache();
      samples.push(await memoryOf(sandbox, catalogue));
    }
    for (const { moment, name, ...promise } of moments) {
      rows.push({
        name: `${name}, ${count} skills, ${state}`,
        unit: 'MB',
        subject: summary(samples.map((one) => one[moment])),
        floor: summary(idle),
        floorName: 'idle Node',
        ...promise,
      });
    }
  }
  return rows;
}

async function memoryOf(sandbox, catalogue) {
  const server = startStdio(sandbox, catalogue);
  await server.open();
  const { message } = await server.ask('tools/list');
  await server.logged(/ready: /);
  await server.ask('ping'); // what the end of the scan brought is behind it
  const listed = residentMbOf(server.pid);
  const name = /<name>(.+)<\/name>/.exec(message.result.tools[0].description)?.[1];
  const call = await server.ask('tools/call', { name: 'skill', arguments: { name } });
  const called = residentMbOf(server.pid);
  await sleep(4000);
  const settled = residentMbOf(server.pid);
  await server.stop();
  if (!call.message.result?.content?.[0]?.text?.startsWith(`Loading: ${name}\n`))
    throw new Error(`no skill: ${JSON.stringify(call)}`);
  return { listed, called, settled };
}

async function idleNode(sandbox, catalogue) {
  const server = startServer(sandbox, catalogue, [floorFile('idle')]);
  await server.logged(/waiting/);
  const held = residentMbOf(server.pid);
  await server.stop();
  return held;
}
