import { count, oneLine } from '../../../../core/text/text.ts';
import { workers as operation } from '../../../../engine/operations/machine/workers.ts';
import { defineCommand } from '../../command.ts';

export const clusterStatus = defineCommand({
  operation,
  withoutProject: true,
  about:
    'Shows the nodes of the cluster at --cluster, and asks all of its workers who they are: their runtimes and labels, how ' +
    'much they run and how much they can. A worker that does not answer within half a second is not there.',
  examples: [
    { run: 'repertoire cluster status --cluster nats://hub.example:4222', what: 'who is there' },
    { run: "repertoire cluster status --json | jq '[.workers[].running] | add'", what: 'how much runs, for scripts' },
  ],
  print({ name, nodes, workers }, { terminal }) {
    const dim = (text: string): string => terminal.style('dim', text);
    const lines = [
      `${terminal.style('bold', oneLine(name))} ${dim(`${count(nodes.length, 'node')}, ${count(workers.length, 'worker')}`)}`,
      ...nodes.map(({ address, connected }) => `  ${oneLine(address)}${connected ? dim(' (asked)') : ''}`),
      ...workers.map(({ name: worker, host, runtimes, labels, running, capacity, state }) => {
        const what = [...runtimes, ...labels].join(', ');
        const now = state === 'ready' ? '' : `, ${state}`;
        return `  ${terminal.style('cyan', oneLine(worker))} ${running} of ${capacity}${now} ${dim(oneLine(`${what} on ${host}`))}`;
      }),
    ];
    terminal.write(`${lines.join('\n')}\n`);
  },
});
