import { bundle } from '../bundle.mjs';
import { cpuMsOf } from '../clients/process.mjs';
import { startServer } from '../clients/server.mjs';
import { floorSource, probeFile, program, summary, takeTurns, tellOf } from '../measure.mjs';
import { single } from '../report.mjs';
import { smallText as text, writeSmall } from './small.mjs';

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
    bare: { name: 'echo', arguments: { text } },
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
      probeFile('sessions'),
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
    probeFile('load'),
    JSON.stringify({ url, count, ...rest }),
  ]);
  const perCall = 1000 / count;
  return { wallUs: wallMs * perCall, cpuUs: (cpuMsOf(pid) - before) * perCall, failed };
}

function timeOf(samples, what) {
  return summary(samples.map((one) => one[what]));
}
