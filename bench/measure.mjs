import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {import('./sandbox.mjs').Sandbox} Sandbox
 * @typedef {import('./catalogue.mjs').Catalogue} Catalogue
 * @typedef {{ cpuMs: number, codeBytes: number, output: string }} Sample
 * @typedef {{ min: number, median: number }} Summary
 */

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

/** The program and the library, as they are shipped. */
export const program = here('../dist/cli/bin.cjs');
export const floorFile = (/** @type {string} */ name) => here(`floors/${name}.cjs`);
/** One that is bundled before it is run. */
export const floorSource = (/** @type {string} */ name) => here(`floors/${name}.mjs`);
export const probeFile = (/** @type {string} */ name) => here(`probes/${name}.mjs`);
export const hookFile = (/** @type {string} */ name) => here(`hooks/${name}.cjs`);

/**
 * Runs a script that prints JSON, for what it prints.
 *
 * @param {Sandbox} sandbox
 * @param {Catalogue} catalogue
 * @param {readonly string[]} argv
 */
export async function tellOf(sandbox, catalogue, argv) {
  return JSON.parse((await runNode(sandbox, catalogue, argv)).output);
}

/**
 * Runs Node once and tells what it cost. What it writes goes to files: no reader's pace is part of the figure, and no
 * terminal, for which the program would do more.
 *
 * @param {Sandbox} sandbox
 * @param {Catalogue} catalogue whose home and working directory the process sees
 * @param {readonly string[]} argv
 * @param {Record<string, string>} [variables]
 * @returns {Promise<Sample>}
 */
export async function runNode(sandbox, catalogue, argv, variables = {}) {
  const [costFile, outputFile, errorFile] = [sandbox.path('cost'), sandbox.path('output'), sandbox.path('errors')];
  const [output, errors] = [openSync(outputFile, 'w'), openSync(errorFile, 'w')];
  const child = spawn(process.execPath, ['--require', hookFile('cost'), ...argv], {
    cwd: catalogue.work,
    env: { ...sandbox.environment(catalogue.home), BENCH_COST_FILE: costFile, ...variables },
    stdio: ['ignore', output, errors],
  });
  closeSync(output);
  closeSync(errors);
  const [code, signal] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${signal ?? code}\n${readFileSync(errorFile, 'utf8')}`);
  return { ...costIn(costFile), output: readFileSync(outputFile, 'utf8') };
}

/** What a hook has written of its process. @param {string} file @returns {{ cpuMs: number, codeBytes: number }} */
export function costIn(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * The samples of two things that take turns: what disturbs the machine for a while disturbs both. Each goes first
 * every other time, and one round is thrown away to fill the disk's cache.
 *
 * @template T
 * @param {number} times
 * @param {() => Promise<T>} subject
 * @param {() => Promise<T>} floor
 * @returns {Promise<[subject: T[], floor: T[]]>}
 */
export async function takeTurns(times, subject, floor) {
  /** @type {[T[], T[]]} */
  const samples = [[], []];
  for (let turn = -1; turn < times; turn++) {
    const pairs = /** @type {const} */ ([
      [subject, samples[0]],
      [floor, samples[1]],
    ]);
    for (const [run, into] of turn % 2 === 0 ? pairs : pairs.toReversed()) {
      const sample = await run();
      if (turn >= 0) into.push(sample);
    }
  }
  return samples;
}

/** @param {readonly number[]} values @returns {Summary} */
export function summary(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { min: sorted[0] ?? Number.NaN, median: quantile(sorted, 0.5) };
}

/** @param {ArrayLike<number>} sorted @param {number} share */
export function quantile(sorted, share) {
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN;
}

/** The CPU times of several runs. @param {readonly Sample[]} samples */
export function cpuOf(samples) {
  return summary(samples.map(({ cpuMs }) => cpuMs));
}
