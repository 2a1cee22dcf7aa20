import { randomUUID } from 'node:crypto';
import { hostEnvironment } from '../../src/core/environment.ts';
import { openAudit } from '../../src/run/audit/writer.ts';
import { createNativeRuntime } from '../../src/run/sandbox/native/runtime.ts';
import { takeTurns } from '../measure.mjs';
import { obstacleTo, runOnce, specFor, timed } from '../running.mjs';

/** So many pairs are written in a row, signed checkpoints among them now and then. */
const inARow = 64;

/**
 * The two records of a run, taking turns with a run that does nothing. The first pair of each turn is told apart: it
 * comes after something else, and finds nothing of what it needs in the processor's caches.
 */
async function measure() {
  const [folder = '', times = '0'] = process.argv.slice(2);
  const environment = hostEnvironment();
  const runtime = createNativeRuntime(environment);
  const obstacle = await obstacleTo(runtime);
  if (obstacle !== null) return { obstacle };
  const audit = openAudit(environment);
  const task = /** @type {const} */ ({ kind: 'command', program: '/bin/true', args: [] });
  const [pairs, runs] = await takeTurns(
    Number(times),
    async () => pairsOf(audit, folder),
    () => timed(() => runOnce(runtime, specFor(folder, task))),
  );
  audit.close();
  await runtime.close();
  return { pairs, runs };
}

/** @param {import('../../src/run/audit/writer.ts').Audit} audit @param {string} folder */
function pairsOf(audit, folder) {
  const start = performance.now();
  writePair(audit, folder);
  const first = performance.now() - start;
  for (let pair = 1; pair < inARow; pair++) writePair(audit, folder);
  return { first, each: (performance.now() - start) / inARow };
}

/** @param {import('../../src/run/audit/writer.ts').Audit} audit @param {string} folder */
function writePair(audit, folder) {
  const facts = {
    id: randomUUID(),
    skill: 'idler',
    folder,
    digest: `sha256:${'0'.repeat(64)}`,
    tool: 'rest',
    runtime: 'native',
    parameters: { resource: 'pods', namespace: 'default', args: ['--wide', '--limit', '20'] },
    by: 'mcp',
    unsafe: false,
  };
  audit.start(facts);
  audit.end({
    ...facts,
    result: 'exited',
    exitCode: 0,
    message: null,
    durationMs: 12,
    outputBytes: 4096,
    enforcement: { files: 'bubblewrap (mount namespace)', network: 'bubblewrap (no network)', memory: 'cgroup' },
  });
}

void measure().then((told) => process.stdout.write(JSON.stringify(told)));
