import { readFileSync } from 'node:fs';

/**
 * @typedef {object} ToolQuestion
 * @property {string} query
 * @property {string} [tool] the tool that is meant, as `skill:tool`
 * @property {string} [skill] where none of its tools is meant
 * @property {'examples' | 'own' | 'de' | 'zh' | 'none'} kind
 *
 * @typedef {object} ToolFigures
 * @property {number} questions
 * @property {number} first of them with the right skill as the first hit
 * @property {number} shown of them with the right tool as the first of a hit among the first ten; with none, where none is meant
 * @property {number} both
 * @property {number} others tools shown at hits that are not the right one
 */

/** @returns {ToolQuestion[]} */
export function readToolQuestions() {
  const text = readFileSync(new URL('questions.jsonl', import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/**
 * Asks every question, and counts by kind.
 *
 * @param {(query: string) => Promise<readonly { name: string, tools?: readonly string[] }[]>} search the first ten hits
 * @returns {Promise<Record<string, ToolFigures>>}
 */
export async function measureTools(search) {
  /** @type {Record<string, ToolFigures>} */
  const kinds = {};
  for (const { query, tool, skill, kind } of readToolQuestions()) {
    const hits = await search(query);
    const [wanted, wantedTool] = tool?.split(':') ?? [skill, undefined];
    const hit = hits.find(({ name }) => name === wanted);
    const isFirst = hit !== undefined && hit === hits[0];
    const isShown = hit !== undefined && hit.tools?.[0] === wantedTool;
    kinds[kind] ??= { questions: 0, first: 0, shown: 0, both: 0, others: 0 };
    const figures = kinds[kind];
    figures.questions++;
    figures.first += Number(isFirst);
    figures.shown += Number(isShown);
    figures.both += Number(isFirst && isShown);
    figures.others += hits.filter((one) => one !== hit && (one.tools?.length ?? 0) > 0).length;
  }
  return kinds;
}

/** Of all kinds that mean a tool. @param {Record<string, ToolFigures>} kinds @returns {ToolFigures} */
export function togetherOf({ none: _none, ...kinds }) {
  const sum = (/** @type {keyof ToolFigures} */ name) =>
    Object.values(kinds).reduce((total, figures) => total + figures[name], 0);
  return {
    questions: sum('questions'),
    first: sum('first'),
    shown: sum('shown'),
    both: sum('both'),
    others: sum('others'),
  };
}
