import { readFileSync } from 'node:fs';

/**
 * @typedef {object} Query
 * @property {string} query
 * @property {string[]} relevant every skill that would serve; none for what no skill is about
 * @property {'para' | 'short' | 'long' | 'typo' | 'zh' | 'de' | 'es' | 'ja' | 'off'} kind
 */

/**
 * @typedef {object} Trigger
 * @property {string} query
 * @property {string[]} [should_match]
 * @property {string[] | '*'} [should_not_match] the star: nothing may match strongly
 */

/** @returns {Query[]} */
export const readQueries = () => readLines('queries.jsonl');

/** @returns {Trigger[]} */
export const readTriggers = () => readLines('triggers.jsonl');

function readLines(file) {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
