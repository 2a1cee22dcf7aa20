import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundle } from '../bundle.mjs';
import { cpuMsOf, residentMbOf, startServer } from '../clients/server.mjs';
import { floorSource, probeFile, program, summary, takeTurns, tellOf } from '../measure.mjs';
import { single } from '../report.mjs';

const smallText =
  '---\nname: hello\ndescription: Says hello. Use it to greet somebody.\n---\n\nSay hello, and mean it.\n';

/** One skill, and nothing else to be found. @returns {import('../catalogue.mjs').Catalogue} */
function writeSmall(base) {
  const [home, work] = [join(base, 'home'), join(base, 'work')];
  const root = join(work, 'skills');
  for (const folder of [home, join(root, 'hello')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, 'hello', 'SKILL.md'), smallText);
  return { base, home, work, roots: [root] };
}

const atOnce = 16;
const sessions = 500;
const callsEach = 4;

/**
 * What our own part of a call over HTTP costs: a small skill is loaded from disk, by a server that checks what it is
 * sent, while the floor does nothing but send back what it was told, with the same library below.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function http(sandbox, quick) {
  const small = writeSmall(sandbox.path('small'));
  const echo = sandbox.path('echo.cjs');
  await bundle(floorSource('echo'), echo);
  const ours = await listening(sandbox, small, [program, 'mcp', '--transport', 'http', '--port', '0']);
  const bare = await listening(sandbox, small, [echo]);
  const calls = {
    ours: { name: 'skill', arguments: { name: 'hello' } },
    bare: { name: 'echo', arguments: { text: smallText } },
  };
  try {
    const rows = [];
    for (const era of ['modern', 'legacy']) {
      const load = (server, call) => () => loadOn(sandbox, small, server, { era, call, count: 4000, atOnce });
      const [subject, floor] = await takeTurns(quick ? 3 : 11, load(ours, calls.ours), load(bare, calls.bare));
      const failed = [...subject, ...floor].reduce((sum, one) => sum + one.failed, 0);
      if (failed > 0) throw new Error(`${failed} calls failed`);
      const to = era === 'modern' ? 'no session' : 'in a session';
      const perSecond = (samples) => Math.round(1e6 / timeOf(samples, 'wallUs').min);
      const floorName = 'echo';
      rows.push(
        {
          name: `skill, ${atOnce} calls at once, ${to}`,
          note: `${perSecond(subject)} per second, echo ${perSecond(floor)}`,
          unit: 'µs per call',
          subject: timeOf(subject, 'wallUs'),
          floor: timeOf(floor, 'wallUs'),
          floorName,
          judged: 'ratio',
          limit: 1.11, // nine tenths of the calls
        },
        {
          name: `skill, ${to}`,
          unit: 'µs CPU of the server',
          subject: timeOf(subject, 'cpuUs'),
          floor: timeOf(floor, 'cpuUs'),
          floorName,
        },
      );
    }
    rows.push(...(await crowd(sandbox, small, ours, bare, calls, quick ? 1 : 3)));
    return rows;
  } finally {
    await Promise.all([ours.stop(), bare.stop()]);
  }
}

/** Sessions that are all open at once, each with its stream. */
async function crowd(sandbox, small, ours, bare, calls, times) {
  const open = (server, call) => () =>
    tellOf(sandbox, small, [
      probeFile('http'),
      'sessions',
      JSON.stringify({ url: server.url, call, sessions, calls: callsEach }),
    ]);
  const [subject, floor] = await takeTurns(times, open(ours, calls.ours), open(bare, calls.bare));
  const failed = subject.map((one) => one.failed).reduce((sum, one) => sum + one, 0);
  const answered = subject.map((one) => one.answered).reduce((sum, one) => sum + one, 0);
  const name = `${sessions} sessions at once, ${callsEach} calls in each`;
  return [
    {
      name: `failed, ${name}`,
      note:
        failed > 0 ? `${answered} answered, ${subject.find((one) => one.failure)?.failure}` : `${answered} answered`,
      unit: 'calls',
      subject: single(failed),
      judged: 'subject',
      limit: 0,
    },
    {
      name: `all of it, ${name}`,
      unit: 'ms',
      subject: summary(subject.map(({ wallMs }) => wallMs)),
      floor: summary(floor.map(({ wallMs }) => wallMs)),
      floorName: 'echo',
    },
  ];
}

async function listening(sandbox, catalogue, argv) {
  const server = startServer(sandbox, catalogue, argv);
  const { text: line } = await server.logged(/listening on /);
  return { ...server, url: /listening on (\S+)/.exec(line)?.[1] ?? '' };
}

async function loadOn(sandbox, catalogue, { url, pid }, { count, ...rest }) {
  const before = cpuMsOf(pid);
  const { wallMs, failed } = await tellOf(sandbox, catalogue, [
    probeFile('http'),
    'load',
    JSON.stringify({ url, count, ...rest }),
  ]);
  const perCall = 1000 / count;
  return { wallUs: wallMs * perCall, cpuUs: (cpuMsOf(pid) - before) * perCall, failed };
}

function timeOf(samples, what) {
  return summary(samples.map((one) => one[what]));
}

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
    const tell = (probe, options) => toldBy(startServer(sandbox, small, [...probe, JSON.stringify(options)]));
    const [hostile, good] = await Promise.all([
      tell([probeFile('flood')], { url, lastsMs, flood, count, from }),
      tell([probeFile('http'), 'beside'], { url, lastsMs, call }),
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
