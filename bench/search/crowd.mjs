import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../random.mjs';
import { createVocabulary } from './vocabulary.mjs';

/** @typedef {import('../catalogue.mjs').Catalogue} Catalogue */
/** @typedef {import('../random.mjs').Random} Random */

/** Characters of a description: as in the other catalogue, cut at 400. @type {[number, number][]} */
const descriptionLength = [
  [0, 40],
  [0.1, 100],
  [0.5, 240],
  [1, 400],
];

/** Characters of a body: enough to be about something, and little enough for a hundred thousand of them. */
export const bodyLength = 900;

/** Characters of bodies as real ones have them. @type {[number, number][]} */
export const realLength = [
  [0, 200],
  [0.1, 700],
  [0.5, 3200],
  [0.9, 12_500],
  [0.99, 27_500],
  [1, 60_000],
];

/** Times of files younger than this may still be doubted by a cache. */
const settleMs = 2100;

/**
 * That many skills to search, in the shared folder of a home of their own; written when first asked for. The same
 * count gives the same files on every machine.
 *
 * @param {import('../sandbox.mjs').Sandbox} sandbox
 * @param {number} count
 * @param {readonly (readonly [number, number])[]} [lengths] of bodies
 * @returns {Promise<Catalogue>}
 */
export async function crowdOf(sandbox, count, lengths) {
  const base = sandbox.path(`crowd-${count}${lengths ? '-long' : ''}`);
  const [home, work] = [join(base, 'home'), join(base, 'work')];
  const root = join(home, '.agents', 'skills');
  if (!existsSync(base)) {
    mkdirSync(work, { recursive: true });
    writeCrowd(root, count, lengths);
    await sleep(settleMs);
  }
  return { base, home, work, roots: [root] };
}

function writeCrowd(root, count, lengths) {
  const random = createRandom(count);
  const vocabulary = createVocabulary(random);
  const taken = new Set();
  for (let at = 0; at < count; at++) {
    let name = vocabulary.name();
    if (taken.has(name)) name += `-${at}`;
    taken.add(name);
    const folder = join(root, name);
    mkdirSync(folder, { recursive: true });
    const length = lengths ? random.spread(lengths) : bodyLength;
    writeFileSync(join(folder, 'SKILL.md'), textOf(name, vocabulary.writer(), length, random));
  }
}

/** @param {(length: number) => string} write */
function textOf(name, write, length, random) {
  const description = JSON.stringify(write(random.spread(descriptionLength)));
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\n${write(length)}\n`;
}
