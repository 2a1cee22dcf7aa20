import { cpuMsOf } from '../clients/process.mjs';
import { startStdio } from '../clients/stdio.mjs';
import { cpuOf, floorFile, takeTurns, tellOf } from '../measure.mjs';
import { many } from './figure.mjs';

/** Seldom enough for each to have ended before the next. */
const intervalMs = 1500;
const line = /refreshed: /;

/**
 * What it costs a server to find that nothing has changed, with all that it does besides. The floor walks the same
 * folders as often, in one process as well, for that gets faster as it is compiled.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function refresh(sandbox, quick) {
  const catalogue = await sandbox.catalogue(many);
  const times = 5;
  const [subject, floor] = await takeTurns(
    quick ? 2 : 5,
    () => refreshesOf(sandbox, catalogue, times),
    () => tellOf(sandbox, catalogue, [floorFile('walk-again'), String(times), ...catalogue.roots]),
  );
  return [
    {
      name: `refresh in the server, ${many} unchanged`,
      unit: 'ms CPU',
      subject: cpuOf(subject.flat()),
      floor: cpuOf(floor.flat()),
      floorName: 'walk and stat',
      judged: 'ratio',
      limit: 1.5,
    },
  ];
}

async function refreshesOf(sandbox, catalogue, times) {
  const server = startStdio(sandbox, catalogue, { argv: ['--refresh-interval', String(intervalMs)] });
  await server.open();
  await server.ask('tools/list');
  await server.logged(line); // the first is compiled as it runs, and everything is watched by then
  const samples = [];
  for (let before = cpuMsOf(server.pid); samples.length < times; ) {
    await server.logged(line, samples.length + 2);
    const now = cpuMsOf(server.pid);
    samples.push({ cpuMs: now - before });
    before = now;
  }
  await server.stop();
  return samples;
}
