import { appendFileSync } from 'node:fs';
import { openRepertoire, tell } from './library.mjs';

/** One skill of many changes: how long until it is found by what is new in it, and how many were read for that. */
const repertoire = openRepertoire();
const { skills } = await repertoire.list();
await repertoire.search('merge several spreadsheets into one');
const waits = [];
const added = new Set();

for (let turn = 0; turn < Number(process.argv[2]); turn++) {
  const { name, file } = skills[(turn * 1237) % skills.length] ?? {};
  const word = `zwxq${'abcdefghijklmnopqrstuvwxyz'[turn]}${process.pid}`;
  appendFileSync(file, `\n${word}\n`);
  const start = performance.now();
  await repertoire.refresh();
  const refreshed = performance.now();
  const { results, index } = await repertoire.search(word);
  waits.push({ refresh: refreshed - start, search: performance.now() - refreshed });
  if (results[0]?.name !== name) throw new Error(`${results[0]?.name} was found, not ${name}`);
  added.add(index.added);
}
tell({ waits, added: [...added] });
repertoire.close();
