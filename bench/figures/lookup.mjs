import { probeFile, quantile, summary, tellOf } from '../measure.mjs';
import { layoutsOf, many } from './figure.mjs';

/** @typedef {import('../report.mjs').Row} Row */

/**
 * What a name costs to resolve among many, alone and while a refresh runs.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function lookup(sandbox, quick) {
  const catalogue = await sandbox.catalogue(many);
  const rows = await alone(sandbox, catalogue, quick ? 1 : 5);
  for (const { layout, folder } of layoutsOf(catalogue)) {
    rows.push(...(await duringRefresh(sandbox, catalogue, quick ? 1 : 5, layout, folder)));
  }
  return rows;
}

/** @returns {Promise<Row[]>} */
async function alone(sandbox, catalogue, times) {
  const told = [];
  while (told.length < times) told.push(await tellOf(sandbox, catalogue, [probeFile('lookup')]));
  const timesOf = (/** @type {string} */ what) => summary(told.flatMap((one) => one[what]));
  return [
    {
      name: 'resolve a name',
      note: `${told[0].names} different ones`,
      unit: 'µs',
      subject: timesOf('resolve'),
      floor: timesOf('map'),
      floorName: 'Map.get',
      judged: 'subject',
      limit: 50,
    },
    { name: 'resolve an unknown name, with suggestions', unit: 'µs', subject: timesOf('miss') },
  ];
}

/** @returns {Promise<Row[]>} */
async function duringRefresh(sandbox, catalogue, times, layout, folder) {
  const told = [];
  while (told.length < times) told.push(await tellOf(sandbox, catalogue, [probeFile('during'), ...folder]));
  const quantilesOf = (/** @type {string} */ what, /** @type {number} */ share) =>
    summary(told.map((one) => quantile(Float64Array.from(one[what]).sort(), share)));
  return ['unchanged', 'changed'].map((what) => ({
    name: `p99 lookup during a refresh, all ${what}, ${layout}`,
    note: `slowest ${Math.round(quantilesOf(what, 1).median)} ms`,
    unit: 'ms',
    subject: quantilesOf(what, 0.99),
    floor: quantilesOf('idle', 0.99),
    floorName: 'no refresh',
    judged: 'subject',
    limit: 100,
  }));
}
