import { createRandom } from './random.mjs';

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
export function skillText(name, random) {
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
export function pathsOf(random) {
  if (random.chance(0.47)) return [];
  return Array.from({ length: 1 + random.below(10) }, (_, index) =>
    random.chance(0.5) ? `scripts/step-${index}.py` : `references/part-${index}.md`,
  );
}
