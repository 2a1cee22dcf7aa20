import { utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { namesOf } from '../catalogue.mjs';
import { openRepertoire, tell } from './library.mjs';

/**
 * How long a lookup takes while a refresh runs. Requests arrive by the clock, every two milliseconds, and their time
 * counts from when they should have begun: one that must wait because the loop is blocked has waited.
 */
const repertoire = openRepertoire(process.argv[2]);
const everyMs = 2;
repertoire.subscribe(() => undefined); // as a server does; it makes a refresh compare what it found
const { skills } = await repertoire.list();
const names = namesOf(skills);
for (const name of names) await repertoire.resolve(name); // so that idle means idle: compiled, and every index built

/**
 * @param {Promise<unknown>} work until which requests arrive
 * @returns {Promise<number[]>}
 */
async function latenciesDuring(work) {
  /** @type {number[]} */
  const waits = [];
  let isOver = false;
  const end = work.then(() => {
    isOver = true;
  });
  for (let due = performance.now(); !isOver; ) {
    await sleep(1);
    // All that have arrived by now are answered now: a queue must not grow by the way it is asked.
    for (; due <= performance.now(); due += everyMs) {
      await repertoire.resolve(names[waits.length % names.length] ?? '');
      waits.push(performance.now() - due);
    }
  }
  await end;
  return waits;
}

/** Every file looks changed, though none is: all must be read again. */
async function touchAll() {
  const now = new Date();
  for (const { file } of skills) utimesSync(file, now, now);
  await sleep(50); // let the new times settle, as the cache wants them
}

const idle = await latenciesDuring(sleep(300));
const unchanged = [];
for (let turn = 0; turn < 3; turn++) unchanged.push(...(await latenciesDuring(repertoire.refresh())));
await touchAll();
const changed = await latenciesDuring(repertoire.refresh());
tell({ idle, unchanged, changed });
