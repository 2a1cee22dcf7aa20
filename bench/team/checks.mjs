import { readFileSync } from 'node:fs';

/**
 * @typedef {import('./team.mjs').Team} Team
 * @typedef {import('./clients.mjs').Call} Call
 */

/** Errors after which a client may ask again, and the state of what it asked for. */
export const retryable = {
  busy: 'nothing was run: all workers are full',
  no_worker: 'nothing was run: there is no worker',
  worker_lost: 'unknown, and never run again by itself: the worker died',
  'HTTP 502': 'unknown: the server died before it answered',
  'connection closed': 'unknown: the server died before it answered',
  'HTTP 503': 'nothing was run: no server is ready, or the session cannot be continued just now',
};

/** Outcomes that an execution has by what the server says, not by what became of the connection to it. */
const told = new Set(['answer', 'busy', 'no_worker', 'worker_lost']);

/** How often a tool may be run: again only where it says so itself, and then once. */
const mostRuns = { once: 1, again: 2 };

/** Errors that tell a client nothing that it could go by. @param {readonly Call[]} calls */
export function unclearErrors(calls) {
  return calls
    .filter(({ outcome }) => outcome !== 'answer' && !Object.hasOwn(retryable, outcome))
    .map(
      ({ kind, outcome, ms, detail }) => `a client got ${outcome} for ${kind} after ${Math.round(ms)} ms: ${detail}`,
    );
}

/**
 * Executions that were run too often, or not at all although the client has the result: by what they have written down
 * themselves, and by what workers have recorded.
 *
 * @param {Team} team @param {readonly Call[]} calls @param {string} ledger
 */
export function wrongRuns(team, calls, ledger) {
  const written = countOf(readFileSync(ledger, 'utf8').split('\n'));
  const started = countOf(recordsOf(team, 'worker', 'start').map(valueIn));
  return executions(calls).flatMap(({ value, tool, outcome }) =>
    [written, started]
      .map((counts) => counts.get(value) ?? 0)
      .filter((runs) => runs > mostRuns[tool] || (runs === 0 && outcome === 'answer'))
      .map((runs) => `${value} was run ${runs} times by ${tool}; its client got ${outcome}`),
  );
}

/** Records of executions that a client was told the end of, and that are not there; and chains that are broken. @param {Team} team @param {readonly Call[]} calls */
export async function lostRecords(team, calls) {
  const parts = [...team.of('server'), ...team.of('worker')];
  const verified = await Promise.all(parts.map(({ name }) => team.run(name, ['audit', 'verify'])));
  const broken = verified.flatMap(({ code, stdout, stderr }, at) =>
    code === 0 ? [] : [`the audit log of ${parts[at]?.name} is not whole: ${stdout}${stderr}`],
  );
  const ends = { server: new Set(), worker: new Set() };
  for (const kind of /** @type {const} */ (['server', 'worker'])) {
    for (const record of recordsOf(team, kind, 'end')) ends[kind].add(valueIn(record));
  }
  const lost = executions(calls)
    .filter(({ outcome }) => told.has(outcome))
    .flatMap(({ value, outcome }) => {
      const wanted =
        outcome === 'answer' ? /** @type {const} */ (['server', 'worker']) : /** @type {const} */ (['server']);
      return wanted
        .filter((kind) => !ends[kind].has(value))
        .map((kind) => `no ${kind} has the record of ${value}, whose client got ${outcome}`);
    });
  return [...broken, ...lost];
}

/** @param {readonly Call[]} calls */
function executions(calls) {
  return /** @type {(Call & { value: string, tool: keyof typeof mostRuns })[]} */ (
    calls.filter(({ kind }) => kind === 'execute')
  );
}

/** @param {Team} team @param {import('./part.mjs').Kind} kind @param {string} event */
function recordsOf(team, kind, event) {
  return team
    .of(kind)
    .flatMap(({ name }) => team.records(name))
    .filter((record) => record.event === event);
}

/** @param {Record<string, any>} record @returns {string} */
function valueIn({ parameters }) {
  return parameters?.value ?? '';
}

/** @param {readonly string[]} words @returns {Map<string, number>} */
export function countOf(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
