import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRandom } from './random.mjs';

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

/** @typedef {import('./random.mjs').Random} Random */

/**
 * Bytes of a SKILL.md. Median, p90 and p99 were measured on real ones; the other points are assumed.
 *
 * @type {[number, number][]}
 */
const fileBytes = [
  [0, 300],
  [0.1, 900],
  [0.5, 3500],
  [0.9, 13_000],
  [0.99, 28_000],
  [1, 60_000],
];

/**
 * Characters of a description. The median was measured; the rest is assumed, up to the format's limit.
 *
 * @type {[number, number][]}
 */
const descriptionLength = [
  [0, 40],
  [0.1, 100],
  [0.5, 240],
  [0.9, 560],
  [0.99, 1000],
  [1, 1024],
];

const words = (
  'the a when use this skill for files and user asks about with data from team project code report create analyze ' +
  'generate format check every before after without changes into clean structured output tables charts documents ' +
  'review tests build release steps errors known common patterns workflow examples configuration commands results'
).split(' ');

/** @param {number} length @param {Random} random */
function prose(length, random) {
  let text = '';
  while (text.length < length) text += (text === '' ? '' : random.chance(0.08) ? ', ' : ' ') + random.pick(words);
  return text.slice(0, length).replace(/[ ,]+$/, '.');
}

/** Two fifths write the description plain, the others quoted or folded over lines. */
function descriptionField(random) {
  const text = prose(random.spread(descriptionLength), random);
  const style = random.next();
  if (style < 0.4) return [`description: ${text}`];
  if (style < 0.75) return [`description: "${text}"`];
  const lines = text.match(/.{1,90}(?: |$)/g) ?? [text];
  return ['description: >-', ...lines.map((line) => `  ${line.trim()}`)];
}

function frontmatter(name, random) {
  const lines = [`name: ${name}`, ...descriptionField(random)];
  if (random.chance(0.3)) lines.push(random.chance(0.7) ? 'license: MIT' : 'license: Complete terms in LICENSE.txt');
  if (random.chance(0.15)) lines.push(`version: 1.${random.below(9)}.0`);
  if (random.chance(0.2)) lines.push('allowed-tools: Read, Write, Bash(git:*), Grep');
  if (random.chance(0.25)) {
    const tags = [random.pick(words), random.pick(words), random.pick(words)].join(', ');
    lines.push(
      'metadata:',
      `  author: team-${random.below(400)}`,
      `  version: "${random.below(9)}.1"`,
      `  tags: [${tags}]`,
    );
  }
  return lines;
}

/** Prose to cut bodies from, made once: what a body says costs nobody anything, its length does. */
const asciiBody = longProse(70_000);
const otherBody = asciiBody.replaceAll(', ', ' \u2014 ');

function longProse(length) {
  const random = createRandom(1);
  let text = '';
  while (text.length < length) text += `## Steps\n\n${prose(700, random)}\n\n- ${prose(200, random)}\n\n`;
  return text;
}

/**
 * A whole SKILL.md, about as long as real ones are.
 *
 * @param {string} name
 * @param {Random} random
 */
function skillText(name, random) {
  const bytes = random.spread(fileBytes);
  const head = ['---', ...frontmatter(name, random), '---', '', ''].join('\n');
  const body = random.chance(0.6) ? asciiBody : otherBody;
  return `${head}# ${name}\n\n${body.slice(0, Math.max(bytes - head.length, 0))}\n`;
}

/**
 * The files beside SKILL.md: none in 47 of 100 skills, one to ten in the others.
 *
 * @param {Random} random
 * @returns {string[]}
 */
function pathsOf(random) {
  if (random.chance(0.47)) return [];
  return Array.from({ length: 1 + random.below(10) }, (_, index) =>
    random.chance(0.5) ? `scripts/step-${index}.py` : `references/part-${index}.md`,
  );
}

/**
 * Ways to ask for skills, all different, none of them wrong: as written, in other letter case, with the provider, and
 * as a URI.
 *
 * @param {readonly { name: string, provider: string }[]} skills
 * @returns {string[]}
 */
export function namesOf(skills) {
  const spellings = skills.map(({ name, provider }, index) => {
    const ways = [name, name.toUpperCase(), `${provider}:${name}`, `${provider}:${name}`.toUpperCase()];
    return index % 10 === 9 ? `skill://${provider}/${name}/SKILL.md` : (ways[index % 4] ?? name);
  });
  return [...new Set(spellings)];
}
