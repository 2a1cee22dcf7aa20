import { setTimeout as sleep } from 'node:timers/promises';
import { startStdio } from '../clients/stdio.mjs';
import { hookFile, summary } from '../measure.mjs';
import { many } from './figure.mjs';

/**
 * Whether a client has its answer while the skills are still being read, on a start that remembers nothing: at once, and
 * in the middle of a scan that is made to take ten seconds. It may take the half second that a handshake waits, and a
 * start. The floor is the end of the scan, which a server that scans first would wait for.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function handshake(sandbox, quick) {
  const catalogue = await sandbox.catalogue(many);
  const slow = ['--require', hookFile('slow')];
  const rows = [];
  for (const { name, node, delayMs, times } of [
    { name: 'first scan', node: [], delayMs: 0, times: quick ? 3 : 9 },
    { name: 'scan of ten seconds', node: slow, delayMs: 0, times: quick ? 1 : 3 },
    { name: 'scan of ten seconds, asked in its fourth', node: slow, delayMs: 3000, times: quick ? 1 : 3 },
  ]) {
    const samples = [];
    while (samples.length < times) samples.push(await openDuringScan(sandbox, catalogue, node, delayMs));
    rows.push({
      name: `answer to initialize, ${name}`,
      unit: 'ms',
      subject: summary(samples.map(({ answeredMs }) => answeredMs)),
      floor: summary(samples.map(({ scannedMs }) => scannedMs)),
      floorName: 'end of the scan',
      judged: /** @type {const} */ ('subject'),
      limit: 750,
    });
  }
  return rows;
}

/** Both from when the client asked, or would have. */
async function openDuringScan(sandbox, catalogue, node, delayMs) {
  sandbox.clearCache();
  const server = startStdio(sandbox, catalogue, { node });
  await sleep(delayMs);
  const { at } = await server.open();
  const isEarly = server.lines(/ready: /).length === 0;
  const ready = await server.logged(/ready: /);
  await server.stop();
  if (!ready.text.includes(`read=${many}`)) throw new Error(`not all were read: ${ready.text}`);
  const since = server.startedAt + delayMs;
  return { answeredMs: isEarly ? at - since : Number.NaN, scannedMs: ready.at - since };
}
