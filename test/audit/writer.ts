import { hostEnvironment } from '../../src/core/environment.ts';
import { openAudit } from '../../src/run/audit/writer.ts';
import { endOf, startOf } from './records.ts';

/**
 * A process that writes records: `HOME` says where, the arguments say whose and how many executions. Of none it writes
 * one that begins and never ends.
 */
const [name = 'writer', executions = '1', options = '{}'] = process.argv.slice(2);
const audit = openAudit(hostEnvironment(), JSON.parse(options) as object);

try {
  if (executions === '0') audit.start(startOf(`${name}-0`));
  for (let number = 1; number <= Number(executions); number++) {
    const id = `${name}-${number}`;
    audit.start(startOf(id));
    process.stdout.write(`${id}\n`); // whoever reads this knows that the record stands
    audit.end(endOf(id));
  }
  audit.close();
} catch (error) {
  const { code, message, hint } = error as { code?: string; message?: string; hint?: string };
  process.stdout.write(`${JSON.stringify({ code, message, hint })}\n`);
  process.exitCode = 1;
}
