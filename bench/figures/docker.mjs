import { bundledProbe } from '../bundled.mjs';
import { summary, tellOf } from '../measure.mjs';
import { writeNoop } from '../running/noop.mjs';

/**
 * What our part of a run in a container costs, beyond what the engine takes to create, start and remove it.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function docker(sandbox, quick) {
  const { open, catalogue } = await writeNoop(sandbox);
  const probe = await bundledProbe(sandbox, 'run-docker');
  const told = await tellOf(sandbox, catalogue, [probe, open, quick ? '8' : '30']);
  const row = {
    name: 'run of a container that does nothing',
    unit: 'ms',
    floorName: 'through the engine by hand',
    judged: /** @type {const} */ ('ratio'),
    limit: 1.15,
  };
  if (told.obstacle) return [{ ...row, unmeasured: told.obstacle }];
  return [{ ...row, subject: summary(told.subject), floor: summary(told.floor) }];
}
