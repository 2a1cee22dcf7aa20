import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { programPath } from '../../scripts/program-folders.mjs';
import { startServer } from '../clients/server.mjs';
import { startStdio } from '../clients/stdio.mjs';
import { program, summary } from '../measure.mjs';
import { single } from '../report.mjs';
import { callOver, compare, settleMs } from './execute.mjs';
import { noop, writeNoop } from './run.mjs';

const row = {
  unit: 'ms',
  name: 'what a call takes longer on a worker of the same machine than in the server itself',
  judged: /** @type {const} */ ('subject'),
  limit: 3,
};

/**
 * What it costs to have a tool that does nothing run by a worker, over a NATS server on this machine. Both servers are
 * called by turns.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function workers(sandbox, quick) {
  const { catalogue } = await writeNoop(sandbox);
  const port = await freePort();
  const nats = spawn('nats-server', ['-a', '127.0.0.1', '-p', port, '-js', '-sd', sandbox.path('nats')], {
    env: { ...process.env, PATH: programPath },
    stdio: 'ignore',
  });
  const isThere = await new Promise((resolve) => {
    nats.once('error', () => resolve(false));
    nats.once('spawn', () => resolve(true));
  });
  if (!isThere) return [{ ...row, unmeasured: 'nats-server is not installed' }];
  const cluster = ['--cluster', `nats://127.0.0.1:${port}`];
  const home = join(catalogue.base, 'worker');
  mkdirSync(home, { recursive: true });
  const worker = startServer(sandbox, { ...catalogue, home }, [program, 'worker', ...cluster], {
    XDG_CACHE_HOME: join(home, 'cache'),
  });
  await worker.logged(/takes executions/);
  const [local, remote] = [[], [...cluster, '--executions', 'cluster']].map((argv) =>
    startStdio(sandbox, catalogue, { command: 'serve', argv: ['--structured', ...argv] }),
  );
  try {
    for (const server of [local, remote]) {
      await server.open();
      await server.ask('tools/list');
      await server.logged(/ready: /);
      const { obstacle } = await callOver(server, noop.tool);
      if (obstacle !== undefined) return [{ ...row, unmeasured: obstacle }];
    }
    await sleep(settleMs);
    const samples = await compare(
      quick ? 30 : 150,
      () => callOver(remote, noop.tool),
      () => callOver(local, noop.tool),
    );
    const [there, here] = samples.map((calls) => summary(calls.map(({ ms }) => ms)).median);
    return [
      { ...row, note: `there ${there.toFixed(1)} ms, here ${here.toFixed(1)} ms`, subject: single(there - here) },
    ];
  } finally {
    await Promise.all([local.stop(), remote.stop(), worker.stop()]);
    nats.kill('SIGKILL');
  }
}

/** @returns {Promise<string>} */
function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  return new Promise((resolve) => {
    server.once('listening', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(String(port)));
    });
  });
}
