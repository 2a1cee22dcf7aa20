import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { program } from '../measure.mjs';
import { Sandbox } from '../sandbox.mjs';
import { writeCatalogue } from './catalogue.mjs';

/**
 * How good the search is, on the queries beside this file: each half by itself and both together, by kind of query. The
 * figures are those of `repertoire eval`.
 *
 * @typedef {{ hitAt1: number, hitAtK: number, recall: number, mrr: number, ndcg: number }} Figures
 * @typedef {{ queries: number, figures: Figures | null, offTopic: { queries: number, quiet: number } | null }} Summary
 * @typedef {{ all: Summary, kinds: (Summary & { kind: string })[] }} Measured
 */
const halves = /** @type {const} */ (['words', 'meaning', 'both']);
const english = ['para', 'short', 'long', 'typo'];
const columns = /** @type {const} */ ({
  ndcg: 'nDCG@10',
  hitAt1: 'hit@1',
  hitAtK: 'hit@10',
  recall: 'recall@10',
  mrr: 'MRR',
});

const file = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const sandbox = new Sandbox();
try {
  sandbox.clearCache();
  const folder = sandbox.path('evaluated');
  writeCatalogue(folder);
  const where = ['--skill-dir', folder, '--skill-dir', file('../../skills'), '--no-scan-default-dirs', '--no-plugins'];
  console.log(`| half | queries | number | ${Object.values(columns).join(' | ')} |`);
  console.log(
    `| --- | --- | --- | ${Object.values(columns)
      .map(() => '---')
      .join(' | ')} |`,
  );
  for (const half of halves) {
    const args = [program, 'eval', file('queries.jsonl'), '--json', '--half', half, ...where];
    const options = {
      encoding: /** @type {const} */ ('utf8'),
      maxBuffer: 1 << 26,
      env: sandbox.environment(sandbox.path('home')),
    };
    /** @type {Measured} */
    const measured = JSON.parse(execFileSync(process.execPath, args, options));
    for (const row of rowsOf(measured)) print(half, row);
    const { quiet = 0, queries = 0 } = measured.all.offTopic ?? {};
    if (half === 'both') console.log(`\nOff topic: ${quiet} of ${queries} have nothing but weak hits.`);
  }
} finally {
  sandbox.remove();
}

/** All, English, and each kind. @param {Measured} measured */
function rowsOf({ all, kinds }) {
  const answered = kinds.filter(({ figures }) => figures !== null);
  const together = meanOf(answered.filter(({ kind }) => english.includes(kind)));
  return [{ kind: 'all', ...all }, { kind: 'English', ...together }, ...answered];
}

/** The mean over all queries of some kinds. @param {Summary[]} kinds */
function meanOf(kinds) {
  const queries = kinds.reduce((sum, one) => sum + one.queries, 0);
  const mean = (/** @type {keyof Figures} */ name) =>
    kinds.reduce((sum, one) => sum + one.queries * (one.figures?.[name] ?? 0), 0) / queries;
  const figures = Object.fromEntries(Object.keys(columns).map((name) => [name, mean(/** @type {any} */ (name))]));
  return { queries, figures };
}

/** @param {string} half @param {any} row */
function print(half, { kind, queries, figures }) {
  const numbers = Object.keys(columns).map((name) => figures[name].toFixed(1));
  console.log(`| ${half} | ${kind} | ${queries} | ${numbers.join(' | ')} |`);
}
