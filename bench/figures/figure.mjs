import { summary } from '../measure.mjs';

/**
 * A figure measures what it stands for, in a sandbox, and returns rows for the report. `quick` asks for fewer
 * repetitions, never for less work in one.
 *
 * @typedef {import('../sandbox.mjs').Sandbox} Sandbox
 * @typedef {import('../report.mjs').Row} Row
 * @typedef {(sandbox: Sandbox, quick: boolean) => Promise<Row[]>} Figure
 */

/**
 * How much of the program's own code was loaded: what a start costs, without the noise.
 *
 * @param {string} name
 * @param {readonly { codeBytes: number }[]} samples
 * @param {number} [limit] in kB
 * @returns {Row}
 */
export function codeRow(name, samples, limit) {
  const subject = summary(samples.map(({ codeBytes }) => codeBytes / 1000));
  return { name: `code loaded, ${name}`, unit: 'kB', subject, ...(limit && { judged: 'subject', limit }) };
}

/** The size that the limits are stated for. */
export const many = 10_000;

/**
 * As agents keep them, and all in one folder that the user names: what is done per root is then done for all.
 *
 * @param {import('../catalogue.mjs').Catalogue} catalogue
 */
export function layoutsOf(catalogue) {
  return [
    { layout: 'five roots', folder: [] },
    { layout: 'one root', folder: [catalogue.base] },
  ];
}
