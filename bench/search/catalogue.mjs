import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFiller } from './filler.mjs';
import { readTopics } from './topics.mjs';

/** @typedef {import('./topics.mjs').Topic} Topic */

const fillerCount = 240;

/**
 * Writes the catalogue that the queries are asked of, one folder for each skill, and gives the names. It is the same on
 * every machine. The example skills of the package belong to it as well; they are read where they are, as a second root.
 *
 * A skill that works in one other language only counts as an answer when the query is in that language or names it.
 *
 * @param {string} folder
 * @param {number} [fillers] of the skills that are only in the way: they are about trades, so that questions of everyday
 *   life are not off topic to them
 * @returns {string[]}
 */
export function writeCatalogue(folder, fillers = fillerCount) {
  const skills = [...readTopics(), ...makeFiller(fillers)];
  for (const skill of skills) {
    mkdirSync(join(folder, skill.name), { recursive: true });
    writeFileSync(join(folder, skill.name, 'SKILL.md'), skillText(skill));
  }
  return skills.map(({ name }) => name);
}

/** @param {Topic} topic */
function skillText({ name, description, body }) {
  // A JSON string is a YAML string, whatever colons and quotes are in it.
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n# ${title(name)}\n\n${body}\n`;
}

function title(name) {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
}
