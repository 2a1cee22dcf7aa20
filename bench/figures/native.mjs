import { bundledProbe } from '../bundled.mjs';
import { summary, tellOf } from '../measure.mjs';
import { writeNoop } from '../running/noop.mjs';

const restMs = 300;

/**
 * What our part of a run in the sandbox of the system costs: pipes, a user of its own, a control group, a shell that
 * waits until all of that stands, and seeing it to its end. The floor is the sandbox itself.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function native(sandbox, quick) {
  const { open, closed, catalogue } = await writeNoop(sandbox);
  const probe = await bundledProbe(sandbox, 'run-native');
  const rows = [];
  const isRoot = process.getuid?.() === 0;
  for (const { name, folder, rest = 0, ...promise } of [
    { name: 'run of a program that does nothing', folder: open, judged: 'ratio', limit: 1.5 },
    // A kernel that has not moved a process between control groups for a while takes some milliseconds to do so.
    { name: `the same, ${restMs} ms after anything else`, folder: open, rest: restMs },
    ...(isRoot ? [{ name: 'the same, of a skill that only root can reach', folder: closed }] : []),
  ]) {
    const argv = [probe, folder, quick ? '15' : '60', String(rest)];
    const { obstacle, subject, floor } = await tellOf(sandbox, catalogue, argv);
    const row = { name, unit: 'ms', floorName: 'bubblewrap by hand', ...promise };
    if (obstacle) rows.push({ ...row, unmeasured: obstacle });
    else rows.push({ ...row, subject: summary(subject), floor: summary(floor) });
  }
  return rows;
}
