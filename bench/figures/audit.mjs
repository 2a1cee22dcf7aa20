import { bundledProbe } from '../bundled.mjs';
import { summary, tellOf } from '../measure.mjs';
import { writeNoop } from '../running/noop.mjs';

/**
 * What the two records of a run cost, beside a run that does nothing. The very first, for which the key is made and the
 * log opened, are thrown away.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function audit(sandbox, quick) {
  const { open, catalogue } = await writeNoop(sandbox);
  const probe = await bundledProbe(sandbox, 'audit');
  const told = await tellOf(sandbox, catalogue, [probe, open, quick ? '20' : '100']);
  const row = { unit: 'ms', floorName: 'run of a program that does nothing' };
  const promised = {
    ...row,
    name: 'both records of a run, many in a row',
    judged: /** @type {const} */ ('ratio'),
    limit: 0.01,
  };
  if (told.obstacle) return [{ ...promised, unmeasured: told.obstacle }];
  const floor = summary(told.runs);
  const { pairs } = told;
  return [
    { ...promised, subject: summary(pairs.map(({ each }) => each)), floor },
    { ...row, name: 'the same, by themselves after a run', subject: summary(pairs.map(({ first }) => first)), floor },
  ];
}
