import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startStdio } from '../clients/stdio.mjs';
import { costIn, cpuOf, floorFile, hookFile, program, runNode, summary, takeTurns } from '../measure.mjs';
import { single } from '../report.mjs';
import { codeRow, many } from './figure.mjs';

/**
 * What it costs to find nothing: the price that every call pays before it does anything.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function start(sandbox, quick) {
  const empty = await sandbox.catalogue(0);
  sandbox.clearCache();
  const [subject, floor] = await takeTurns(
    quick ? 20 : 50,
    () => runNode(sandbox, empty, [program, 'list']),
    () => runNode(sandbox, empty, ['-e', '0']),
  );
  if (!subject.every(({ output }) => output.startsWith('No skills found.'))) throw new Error('the home is not empty');
  return [
    {
      name: 'list, no skills',
      unit: 'ms CPU',
      subject: cpuOf(subject),
      floor: cpuOf(floor),
      floorName: 'node -e 0',
      judged: 'ratio',
      limit: 1.4,
    },
    codeRow('list, no skills', subject, 92),
  ];
}

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
      codeRow(name, subject, isFirst ? undefined : 128),
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
    node: ['--require', hookFile('cost')],
    variables: { BENCH_COST_FILE: file, BENCH_COST_AT: 'tools' },
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

/**
 * What an install has to fetch, the embedding table included.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function packageSize() {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const told = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd, encoding: 'utf8' });
  const [{ size, unpackedSize, files }] = JSON.parse(told);
  if (!files.some(({ path }) => path.endsWith('.bin'))) throw new Error('the embedding table is not in the package');
  return [
    {
      name: 'packed, as it is fetched',
      note: `${(unpackedSize / 1e6).toFixed(1)} MB unpacked, ${files.length} files`,
      unit: 'MB',
      subject: single(size / 1e6),
      judged: 'subject',
      limit: 12,
    },
  ];
}
