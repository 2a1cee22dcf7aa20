import { cpuOf, program, runNode, takeTurns } from '../measure.mjs';
import { codeRow } from './figure.mjs';

/**
 * What it costs to find nothing: the price that every call pays before it does anything.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function start(sandbox, quick) {
  const empty = await sandbox.catalogue(0);
  sandbox.clearCache();
  const [subject, floor] = await takeTurns(
    quick ? 20 : 50,
    () => runNode(sandbox, empty, [program, 'list']),
    () => runNode(sandbox, empty, ['-e', '0']),
  );
  if (!subject.every(({ output }) => output.startsWith('No skills found.'))) throw new Error('the home is not empty');
  return [
    {
      name: 'list, no skills',
      unit: 'ms CPU',
      subject: cpuOf(subject),
      floor: cpuOf(floor),
      floorName: 'node -e 0',
      judged: 'ratio',
      limit: 1.4,
    },
    codeRow('list, no skills', subject, 85),
  ];
}
