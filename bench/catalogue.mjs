import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRandom } from './random.mjs';
import { pathsOf, skillText } from './skill-text.mjs';

/**
 * @typedef {object} Catalogue
 * @property {string} base the folder around everything
 * @property {string} home
 * @property {string} work the working directory; a project with skills of its own
 * @property {string[]} roots the folders that hold skills
 */

/** Where skills lie, and how many of a hundred: the shared folder, three agents' own, and one project's. */
const layout = [
  { at: ['home', '.agents', 'skills'], provider: 'agents', share: 25 },
  { at: ['home', '.claude', 'skills'], provider: 'claude', share: 45 },
  { at: ['home', '.codex', 'skills'], provider: 'codex', share: 15 },
  { at: ['home', '.config', 'opencode', 'skills'], provider: 'opencode', share: 5 },
  { at: ['work', 'skills'], provider: 'agents', share: 10 },
];

const categories = ['engineering', 'writing', 'data', 'design', 'operations', 'science', 'office', 'security'];

/**
 * Writes that many skills below a folder. The same count gives the same files on every machine, so that two runs
 * measure the same work.
 *
 * @param {string} base
 * @param {number} count
 * @returns {Catalogue}
 */
export function writeCatalogue(base, count) {
  const random = createRandom(count);
  const names = uniqueNames(count, random);
  const written = [];
  let [next, copied] = [0, 0];
  for (const { at, provider, share } of layout) {
    const end = Math.min(count, next + Math.round((count * share) / 100));
    for (; next < end; next++) {
      // One in fifty is a copy of a skill in the shared folder, as installers leave them; the shared one wins.
      const isCopy = provider !== 'agents' && random.chance(0.02);
      const name = isCopy ? written[copied++] : names[next];
      writeSkill(join(base, ...at, ...(random.chance(0.3) ? [random.pick(categories)] : []), name), name, random);
      written.push(name);
    }
  }
  for (const folder of ['home', 'work']) mkdirSync(join(base, folder), { recursive: true });
  const roots = count === 0 ? [] : layout.map(({ at }) => join(base, ...at));
  return { base, home: join(base, 'home'), work: join(base, 'work'), roots };
}

function writeSkill(folder, name, random) {
  for (const path of pathsOf(random)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), `${path}\n`); // only ever looked at, never read
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'SKILL.md'), skillText(name, random));
}

const verbs = 'build review write test plan deploy convert extract summarize debug migrate audit draft chart'.split(
  ' ',
);
const things = 'pdf api report schema release query invoice slides notebook pipeline contract diagram email'.split(' ');
const tails = 'helper guide expert toolkit flow basics advanced assistant'.split(' ');

function uniqueNames(count, random) {
  const taken = new Set();
  while (taken.size < count) {
    const name = [random.pick(verbs), random.pick(things), ...(random.chance(0.5) ? [random.pick(tails)] : [])].join(
      '-',
    );
    taken.add(taken.has(name) ? `${name}-${taken.size}` : name);
  }
  return [...taken];
}
