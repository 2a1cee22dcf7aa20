import { namesOf } from '../catalogue.mjs';
import { openRepertoire, tell } from './library.mjs';

/** How long a name takes to resolve when nothing else goes on; beside it, a bare look into a map. */
const repertoire = openRepertoire();
const names = namesOf((await repertoire.list()).skills);
await repertoire.resolve(names[0] ?? '');

const map = new Map(names.map((name) => [name, name.length]));
/** @type {Record<'resolve' | 'map' | 'miss', number[]>} */
const rounds = { resolve: [], map: [], miss: [] };
let sum = 0;

for (let round = 0; round < 7; round++) {
  let start = performance.now();
  for (const name of names) sum += (await repertoire.resolve(name)).name.length;
  rounds.resolve.push(((performance.now() - start) * 1000) / names.length);
  start = performance.now();
  for (const name of names) sum += map.get(name) ?? 0;
  rounds.map.push(((performance.now() - start) * 1000) / names.length);
  start = performance.now();
  await repertoire.resolve(`${names[round]}-unheard-of`).catch(() => undefined);
  rounds.miss.push((performance.now() - start) * 1000);
}
tell({ ...rounds, names: names.length, sum });
