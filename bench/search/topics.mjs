import { readdirSync, readFileSync } from 'node:fs';

/**
 * @typedef {object} Topic
 * @property {string} name
 * @property {string} description
 * @property {string} body Markdown
 */

const folder = new URL('topics/', import.meta.url);

/**
 * The skills written by hand that queries are labelled with. A file holds one field of work or one language; in it each
 * skill is a first-level heading with its name, a paragraph of one line with its description, and its body.
 *
 * @returns {Topic[]}
 */
export function readTopics() {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .flatMap((file) => topicsOf(readFileSync(new URL(file, folder), 'utf8')));
}

function topicsOf(text) {
  return text
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [name, description, ...body] = part.trim().split('\n\n');
      return { name, description, body: body.join('\n\n') };
    });
}
