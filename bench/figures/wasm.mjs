import { bundledProbe } from '../bundled.mjs';
import { summary, tellOf } from '../measure.mjs';
import { writeNoop } from '../running/noop.mjs';

/**
 * What a WebAssembly tool costs when a child waits for it already, which has everything in it but the order.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function wasm(sandbox, quick) {
  const { open, catalogue } = await writeNoop(sandbox);
  const probe = await bundledProbe(sandbox, 'run-wasm');
  const told = await tellOf(sandbox, catalogue, [probe, open, quick ? '10' : '40']);
  const row = {
    name: 'run of a module that does nothing, from the warm pool',
    unit: 'ms',
    floorName: '/bin/true under bubblewrap',
    judged: /** @type {const} */ ('ratio'),
    limit: 2.5,
  };
  if (told.obstacle) return [{ ...row, unmeasured: told.obstacle }];
  const { subject, floor, cold } = told;
  return [
    {
      ...row,
      note: `the first of all, not warm: ${Math.round(cold)} ms`,
      subject: summary(subject),
      floor: summary(floor),
    },
  ];
}
