import { oneLine, printable } from '../../../../core/text/text.ts';
import { jobs as operation } from '../../../../engine/operations/running/jobs.ts';
import type { Job } from '../../../../engine/running/admission/jobs.ts';
import { defineCommand } from '../../command.ts';
import type { Style, Terminal } from '../../terminal/terminal.ts';

export const jobs = defineCommand({
  operation,
  spelling: {
    action: { positional: true, value: 'ACTION' },
    id: { positional: true, value: 'ID' },
    offset: { value: 'BYTES' },
  },
  about:
    'Shows executions that a server kept running after its client stopped waiting, and lets you read their ' +
    'output and cancel them. Jobs are kept for a week. Those on the workers of a cluster are shown wherever it is set.',
  examples: [
    { run: 'repertoire jobs', what: 'all of them' },
    { run: 'repertoire jobs output ID', what: 'what one has written so far' },
    { run: 'repertoire jobs cancel ID', what: 'stop it' },
  ],
  print({ jobs: all, missing, output }, { terminal, input }) {
    if (missing !== undefined) terminal.note(`Those of the cluster are missing: ${missing}\n`);
    if (output !== undefined) terminal.write(terminal.isInteractive ? printable(output) : output);
    else if (input.action === 'cancel') terminal.write(all.map((job) => `${cancelled(job)}\n`).join(''));
    else if (all.length === 0) terminal.write('No jobs.\n');
    else terminal.write(`${all.map((job) => line(job, terminal)).join('\n')}\n`);
  },
});

const styles: Readonly<Record<Job['state'], Style>> = { running: 'cyan', done: 'green', lost: 'red' };

function line({ id, skill, tool, state, startedAt, worker, result }: Job, terminal: Terminal): string {
  const place = worker === undefined ? '' : `  on ${oneLine(worker)}`;
  const end = result === null ? '' : ` ${result.reason}${result.exitCode === null ? '' : ` ${result.exitCode}`}`;
  return `${id}  ${terminal.style(styles[state], state)}${end}  ${oneLine(skill)}:${oneLine(tool)}  ${startedAt}${place}`;
}

function cancelled({ id, state }: Job): string {
  return state === 'running' ? `${id} is being cancelled.` : `${id} is ${state} already.`;
}
