import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { residentMbOf } from '../clients/process.mjs';
import { startServer } from '../clients/server.mjs';
import { probeFile, program } from '../measure.mjs';
import { single } from '../report.mjs';
import { writeSmall } from './small.mjs';

/** Each from an address of its own; and the first once more from that of the ordinary client. */
const kinds = [
  { flood: 'unread', name: '990 connections, 4 batches of 100 tools/list on each, nothing read', count: 990, mb: 200 },
  { flood: 'unread', name: 'the same, from the same address', count: 990, from: '127.0.0.1', mb: 200 },
  { flood: 'sessions', name: '20,000 sessions', count: 20_000 },
  { flood: 'idle', name: '2,500 idle connections', count: 2500 },
];
const lastsMs = 20_000;
const call = { name: 'skill', arguments: { name: 'hello' } };

/**
 * What one hostile client costs the others, and the machine.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function floods(sandbox) {
  const small = writeSmall(sandbox.path('small'));
  const rows = [];
  for (const { flood, name, count, from = '127.0.0.2', mb } of kinds) {
    const server = startServer(sandbox, small, [program, 'serve', '--http', '--port', '0']);
    const line = await server.logged(/listening on /);
    const url = /listening on (\S+)/.exec(line.text)?.[1] ?? '';
    let most = 0;
    const looking = setInterval(() => {
      most = Math.max(most, residentMbOf(server.pid));
    }, 50);
    const tell = (probe, options) => toldBy(startServer(sandbox, small, [probeFile(probe), JSON.stringify(options)]));
    const [hostile, good] = await Promise.all([
      tell('flood', { url, lastsMs, flood, count, from }),
      tell('beside', { url, lastsMs, call }),
    ]);
    clearInterval(looking);
    await server.stop();
    const note = `${hostile.opened} opened, ${hostile.answered} answered, ${hostile.closed} closed by the server`;
    rows.push(
      { name: `${name}: memory of the server`, note, unit: 'MB', subject: single(most), judged: 'subject', limit: mb },
      {
        name: `${name}: p99 of another client`,
        note: `${good.asked} asked, slowest ${Math.round(good.slowest)} ms`,
        unit: 'ms',
        subject: single(good.p99),
        judged: 'subject',
        limit: 250,
      },
      { name: `${name}: its failures`, unit: 'calls', subject: single(good.failed), judged: 'subject', limit: 0 },
    );
  }
  return rows;
}

/** What a probe prints. @param {import('../clients/server.mjs').Server} server */
async function toldBy({ child }) {
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return JSON.parse(output);
}
