/**
 * @typedef {import('./measure.mjs').Summary} Summary
 *
 * @typedef {object} Row
 * @property {string} name what was measured
 * @property {string} [note] what else there is to say of this run
 * @property {string} unit of subject and floor
 * @property {Summary} [subject] nothing only where it could not be measured
 * @property {string} [unmeasured] why it could not be measured here
 * @property {Summary} [floor] what it is compared to, measured in the same run
 * @property {string} [floorName]
 * @property {'ratio' | 'ratio of medians' | 'subject'} [judged] what the limit is for; nothing where there is only something to tell
 * @property {number} [limit]
 *
 * @typedef {Row & { figure: string, ratio: Summary | null, value: number | null, passed: boolean | null }} Verdict
 */

/**
 * The best run is judged: noise only ever adds, so a limit that the best run breaks is broken, and one that it keeps
 * can be kept. The median stands beside it for whoever wants to know how noisy the machine was.
 *
 * @param {string} figure
 * @param {Row} row
 * @returns {Verdict}
 */
export function judge(figure, row) {
  const { subject, floor, judged, limit, unmeasured } = row;
  // Neither kept nor broken: nobody knows.
  if (unmeasured !== undefined || subject === undefined) {
    return { figure, ...row, ratio: null, value: null, passed: null };
  }
  const ratio = floor ? { min: subject.min / floor.min, median: subject.median / floor.median } : null;
  const value = judged === undefined ? null : (judgedValues[judged](subject, ratio) ?? Number.NaN);
  // Not "value > limit": a figure that could not be measured is no number, and must not pass.
  const passed = value === null || limit === undefined || value <= limit;
  return { figure, ...row, ratio, value, passed };
}

/** @type {Record<NonNullable<Row['judged']>, (subject: Summary, ratio: Summary | null) => number | undefined>} */
const judgedValues = {
  ratio: (_subject, ratio) => ratio?.min,
  'ratio of medians': (_subject, ratio) => ratio?.median,
  subject: ({ min }) => min,
};

/** One number, where there is nothing to take the best of. @param {number} value @returns {Summary} */
export function single(value) {
  return { min: value, median: value };
}

/** @param {readonly Verdict[]} verdicts @returns {string} */
export function tableOf(verdicts) {
  const head = ['figure', 'best', 'median', 'floor', 'ratio', 'of medians', 'limit', 'verdict'];
  const rows = [head, head.map(() => '---'), ...verdicts.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = (/** @type {string} */ cell, /** @type {number} */ column) =>
    cell === '---' ? '-'.repeat(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => `| ${row.map(padded).join(' | ')} |`).join('\n');
}

/** @param {Verdict} verdict */
function cellsOf(verdict) {
  const { figure, name, note, unmeasured, unit, subject, floor, floorName, ratio } = verdict;
  const remark = unmeasured ?? note;
  return [
    `${figure}: ${name}${remark === undefined ? '' : ` (${remark})`}`,
    subject ? `${short(subject.min)} ${unit}` : '',
    subject ? `${short(subject.median)} ${unit}` : '',
    floor ? `${floorName}: ${short(floor.min)} ${unit}` : '',
    ratio ? short(ratio.min) : '',
    ratio ? short(ratio.median) : '',
    limitText(verdict),
    verdictText(verdict),
  ];
}

/** @param {Verdict} verdict */
function limitText({ limit, judged, unit }) {
  if (limit === undefined) return '';
  return judged === 'subject' ? `≤ ${limit} ${unit}` : `${judged} ≤ ${limit}`;
}

/** Within a tenth of its limit a figure deserves a look before it breaks. @param {Verdict} verdict */
function verdictText({ limit, value, passed }) {
  if (passed === null) return 'not measured';
  if (limit === undefined || value === null) return '';
  if (!passed) return 'BROKEN';
  return value > limit * 0.9 ? 'ok, but near' : 'ok';
}

/** Three digits that matter. @param {number} value */
function short(value) {
  if (value === 0 || Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}
