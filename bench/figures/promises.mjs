import { floorFile, probeFile, summary, takeTurns, tellOf } from '../measure.mjs';
import { many } from './figure.mjs';

/**
 * The times we promise to whoever waits. They are times on a clock, so the floor's are too.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function promises(sandbox, quick) {
  const times = quick ? 3 : 9;
  const thousand = await sandbox.catalogue(1000);
  const [firsts, smallWalks] = await takeTurns(
    times,
    () => {
      sandbox.clearCache();
      return tellOf(sandbox, thousand, [probeFile('scan'), '0']);
    },
    () => tellOf(sandbox, thousand, [floorFile('walk'), ...thousand.roots]),
  );
  const all = await sandbox.catalogue(many);
  sandbox.clearCache();
  const [refreshes, walks] = await takeTurns(
    times,
    () => tellOf(sandbox, all, [probeFile('scan'), '3']),
    () => tellOf(sandbox, all, [floorFile('walk'), ...all.roots]),
  );
  const row = { unit: 'ms', floorName: 'walk and stat', judged: /** @type {const} */ ('subject'), limit: 1000 };
  return [
    {
      ...row,
      name: 'first scan of 1,000',
      subject: summary(firsts.map(({ first }) => first)),
      floor: summary(smallWalks.map(({ wallMs }) => wallMs)),
    },
    {
      ...row,
      name: 'refresh of 10,000 unchanged',
      subject: summary(refreshes.flatMap(({ later }) => later)),
      floor: summary(walks.map(({ wallMs }) => wallMs)),
    },
  ];
}
