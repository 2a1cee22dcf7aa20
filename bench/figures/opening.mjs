import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStdio } from '../clients/stdio.mjs';
import { cpuOf, floorFile, hookFile, runNode, summary, takeTurns } from '../measure.mjs';
import { single } from '../report.mjs';
import { many } from './figure.mjs';

/**
 * What it costs until a client that starts the server has its tools: the price of every session of every agent. All
 * starts but one are such as have been made before, in the same folder.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function opening(sandbox, quick) {
  const rows = [];
  for (const { count, skills, isFirst, limit } of [
    { count: 0, skills: 'no skills', isFirst: false, limit: 1.9 },
    { count: many, skills: `${many} skills`, isFirst: false, limit: 2.3 },
    { count: 0, skills: 'no skills, first start of all', isFirst: true },
  ]) {
    const catalogue = await sandbox.catalogue(count);
    sandbox.clearCache();
    await fillCache(sandbox, catalogue);
    const [subject, floor] = await takeTurns(
      quick ? 10 : 40,
      () => {
        if (isFirst) sandbox.clearCache();
        return toolsOf(sandbox, catalogue);
      },
      () => bareNode(sandbox, catalogue),
    );
    const name = `spawn to the answer to tools/list, ${skills}`;
    const floorName = 'empty script';
    rows.push(
      {
        name,
        unit: 'ms CPU',
        subject: cpuOf(subject),
        floor: cpuOf(floor),
        floorName,
        ...(limit && { judged: 'ratio', limit }),
      },
      { name, unit: 'ms', subject: wallOf(subject), floor: wallOf(floor), floorName },
      {
        name: `size of that answer, ${skills}`,
        unit: 'bytes',
        subject: single(subject[0]?.bytes),
        judged: 'subject',
        limit: 20_000,
      },
    );
  }
  return rows;
}

/** Serves once until all is read and kept, which comes after everything that a client might wait for. */
async function fillCache(sandbox, catalogue) {
  const server = startStdio(sandbox, catalogue);
  await server.open();
  await server.ask('tools/list');
  await server.logged(/ready: /);
  await sleep(3000);
  await server.stop();
}

async function toolsOf(sandbox, catalogue) {
  const file = sandbox.path('answered');
  rmSync(file, { force: true });
  const server = startStdio(sandbox, catalogue, {
    node: ['--require', hookFile('answered')],
    variables: { BENCH_CPU_FILE: file },
  });
  await server.open();
  const { message, at, bytes } = await server.ask('tools/list');
  await server.stop();
  if (message.result?.tools?.[0]?.name !== 'skill') throw new Error(`no tools: ${JSON.stringify(message)}`);
  return { cpuMs: Number(readFileSync(file, 'utf8')), wallMs: at - server.startedAt, bytes };
}

async function bareNode(sandbox, catalogue) {
  const startedAt = performance.now();
  const { cpuMs } = await runNode(sandbox, catalogue, [floorFile('empty')]);
  return { cpuMs, wallMs: performance.now() - startedAt, bytes: 0 };
}

function wallOf(samples) {
  return summary(samples.map(({ wallMs }) => wallMs));
}
