import { cpuOf, floorFile, program, runNode, takeTurns } from '../measure.mjs';
import { many } from './figure.mjs';

/**
 * What it costs to read everything for the first time, the writing of the cache included.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function cold(sandbox, quick) {
  const catalogue = await sandbox.catalogue(many);
  const [subject, floor] = await takeTurns(
    quick ? 3 : 9,
    () => {
      sandbox.clearCache();
      return runNode(sandbox, catalogue, [program, 'list', '--json']);
    },
    () => runNode(sandbox, catalogue, [floorFile('parse'), ...catalogue.roots]),
  );
  const parsed = JSON.parse(floor[0]?.output ?? '{}').skills;
  if (parsed !== many) throw new Error(`the floor read ${parsed} skills, not ${many}`);
  return [
    {
      name: 'list --json, no cache',
      unit: 'ms CPU',
      subject: cpuOf(subject),
      floor: cpuOf(floor),
      floorName: 'walk, read, parse YAML',
      judged: 'ratio',
      limit: 2,
    },
  ];
}
