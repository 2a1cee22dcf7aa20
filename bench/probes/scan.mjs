import { openRepertoire, tell } from './library.mjs';

/** How long the first scan of a process takes, and how long further ones that find nothing new. */
const repertoire = openRepertoire();
const refreshes = Number(process.argv[2]);

/** @returns {Promise<number>} */
async function timed() {
  const start = performance.now();
  await repertoire.refresh();
  return performance.now() - start;
}

const first = await timed();
const later = [];
while (later.length < refreshes) later.push(await timed());
tell({ first, later, skills: (await repertoire.list()).skills.length });
