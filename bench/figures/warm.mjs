import { readFileSync } from 'node:fs';
import { cpuOf, floorFile, hookFile, program, runNode, takeTurns } from '../measure.mjs';
import { single } from '../report.mjs';
import { many } from './figure.mjs';

/**
 * What it costs to find everything unchanged.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function warm(sandbox, quick) {
  const catalogue = await sandbox.catalogue(many);
  const list = [program, 'list', '--json'];
  sandbox.clearCache();
  const opensFile = sandbox.path('opens');
  const countOpens = async () => {
    const { output } = await runNode(sandbox, catalogue, ['--require', hookFile('opens'), ...list], {
      BENCH_OPENS_FILE: opensFile,
    });
    const listed = JSON.parse(output).skills.length;
    if (listed !== many) throw new Error(`${listed} skills listed, not ${many}`);
    return Number(readFileSync(opensFile, 'utf8'));
  };
  const coldOpens = await countOpens();
  // A counter that misses openings would prove anything.
  if (coldOpens !== many) throw new Error(`the hook saw ${coldOpens} files opened by a cold scan, not ${many}`);
  const warmOpens = await countOpens();
  const [subject, floor] = await takeTurns(
    quick ? 3 : 15,
    () => runNode(sandbox, catalogue, list),
    () => runNode(sandbox, catalogue, [floorFile('walk'), ...catalogue.roots]),
  );
  return [
    {
      name: 'SKILL.md opened by list --json',
      unit: 'files',
      subject: single(warmOpens),
      floor: single(coldOpens),
      floorName: 'cold',
      judged: 'subject',
      limit: 0,
    },
    {
      name: 'list --json, all cached',
      unit: 'ms CPU',
      subject: cpuOf(subject),
      floor: cpuOf(floor),
      floorName: 'walk and stat',
      judged: 'ratio',
      limit: 2,
    },
  ];
}
