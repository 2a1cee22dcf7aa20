import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStdio } from '../clients/stdio.mjs';
import { costIn, cpuOf, floorFile, hookFile, runNode, summary, takeTurns } from '../measure.mjs';
import { single } from '../report.mjs';
import { codeRow, many } from './figure.mjs';

/**
 * What it costs until a client that starts the server has its tools: the price of every session of every agent. All
 * starts but one are such as have been made before, in the same folder.
 *
 * @param {import('./figure.mjs').Sandbox} sandbox
 * @param {boolean} quick
 * @param {number} [skills] how many there are where there are some
 * @returns {Promise<import('./figure.mjs').Row[]>}
 */
export async function opening(sandbox, quick, skills = many) {
  const rows = [];
  for (const { count, what, isFirst, limit } of [
    { count: 0, what: 'no skills', isFirst: false, limit: 1.9 },
    { count: skills, what: `${skills} skills`, isFirst: false, limit: 2.3 },
    { count: 0, what: 'no skills, first start of all', isFirst: true },
  ]) {
    const catalogue = await sandbox.catalogue(count);
    sandbox.clearCache();
    await fillCache(sandbox, catalogue);
    const [subject, floor] = await takeTurns(
      quick ? 20 : 40,
      () => {
        if (isFirst) sandbox.clearCache();
        return toolsOf(sandbox, catalogue);
      },
      () => bareNode(sandbox, catalogue),
    );
    const name = `spawn to the answer to tools/list, ${what}`;
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
      codeRow(name, subject, isFirst ? undefined : 120),
      { name, unit: 'ms', subject: wallOf(subject), floor: wallOf(floor), floorName },
      {
        name: `size of that answer, ${what}`,
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
  return { ...costIn(file), wallMs: at - server.startedAt, bytes };
}

async function bareNode(sandbox, catalogue) {
  const startedAt = performance.now();
  const { cpuMs, codeBytes } = await runNode(sandbox, catalogue, [floorFile('empty')]);
  return { cpuMs, codeBytes, wallMs: performance.now() - startedAt, bytes: 0 };
}

function wallOf(samples) {
  return summary(samples.map(({ wallMs }) => wallMs));
}
