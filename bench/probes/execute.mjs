import { createInterface } from 'node:readline';
import { openRepertoire } from './library.mjs';

/** Runs a tool by the library each time it is told a line, and tells how long that took. */
const [skill = '', tool = ''] = process.argv.slice(2);
const repertoire = openRepertoire();
await repertoire.list();

for await (const _line of createInterface({ input: process.stdin })) {
  const start = performance.now();
  const { reason, exitCode, message, durationMs } = await repertoire.execute(skill, tool);
  const ms = performance.now() - start;
  if (reason !== 'exited' || exitCode !== 0) throw new Error(`the run ended with ${reason}: ${message}`);
  process.stdout.write(`${JSON.stringify({ ms, runMs: durationMs })}\n`);
}
repertoire.close();
