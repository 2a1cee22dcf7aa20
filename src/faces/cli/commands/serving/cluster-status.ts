import { durationInWords } from '../../../../core/text/quantities.ts';
import { count, oneLine } from '../../../../core/text/text.ts';
import { type MembersOutput, members as operation } from '../../../../engine/operations/machine/members.ts';
import { defineCommand } from '../../command.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export const clusterStatus = defineCommand({
  operation,
  withoutProject: true,
  about:
    'Shows the nodes of the cluster at --cluster and the revision of its catalogue, and asks all servers and workers who they ' +
    'are: how far a server is behind the catalogue and what waits there, the runtimes and labels of a worker, how much it runs ' +
    'and how much it can. It tells how far the audit log of each machine has been sent. One that no longer answers is lost, and shown for ten minutes with its last sign of life.',
  examples: [
    { run: 'repertoire cluster status --cluster nats://hub.example:4222', what: 'who is there' },
    { run: "repertoire cluster status --json | jq '[.workers[].running] | add'", what: 'how much runs, for scripts' },
  ],
  print: (status, { terminal }) => linesOf(status, terminal),
});

function linesOf({ name, nodes, catalogue, chains, servers, workers }: MembersOutput, terminal: Terminal): string[] {
  const dim = (text: string): string => terminal.style('dim', text);
  const counts = [count(nodes.length, 'node'), count(servers.length, 'server'), count(workers.length, 'worker')];
  return [
    `${terminal.style('bold', oneLine(name))} ${dim(`${counts.join(', ')}, revision ${catalogue.revision}`)}`,
    ...nodes.map(({ address, connected }) => `  ${oneLine(address)}${connected ? dim(' (asked)') : ''}`),
    ...catalogue.copies.map(({ node, leads, lag, silentMs }) => {
      const state = silentMs === null ? 'away' : leads ? 'leads' : `${count(lag, 'change')} behind`;
      return `  ${oneLine(node)} ${silentMs === null ? terminal.style('red', state) : dim(state)}`;
    }),
    ...servers.flatMap(({ host, pid, channel, state, heartbeat, lag, queues }) => {
      const behind = lag === 0 ? 'up to date' : `${count(lag, 'change')} behind`;
      return [
        `  ${terminal.style('cyan', oneLine(host))} ${stateOf(state, heartbeat, terminal)}${dim(`server ${pid}, ${oneLine(channel)}, ${behind}`)}`,
        ...queues
          .filter(({ waiting }) => waiting > 0)
          .map(
            ({ wants, waiting, users }) => `    ${waiting} waiting for ${oneLine(wants)}, of ${count(users, 'user')}`,
          ),
      ];
    }),
    ...workers.map(({ name: worker, host, runtimes, labels, running, capacity, state, heartbeat }) => {
      const what = [...runtimes, ...labels].join(', ');
      const now = stateOf(state, heartbeat, terminal);
      return `  ${terminal.style('cyan', oneLine(worker))} ${now}${running} of ${capacity} ${dim(oneLine(`${what} on ${host}`))}`;
    }),
    ...chains.map(({ node, host, last }) => {
      const state = last === null ? terminal.style('red', 'not one of ours') : dim(`up to record ${last}`);
      return `  audit log of ${oneLine(host)} ${oneLine(node.slice(0, 12))} ${state}`;
    }),
  ];
}

/** The state of a member where it is not as it should be, and since when. */
function stateOf(state: string, heartbeat: string | null, terminal: Terminal): string {
  if (state === 'ready') return '';
  const ms = heartbeat === null ? -1 : Date.now() - Date.parse(heartbeat);
  // The clock of the cluster may be ahead of ours: then nobody knows.
  const ago = ms < 0 ? '' : ` for ${durationInWords(ms)}`;
  return `${terminal.style(state === 'lost' ? 'red' : 'yellow', `${state}${state === 'lost' ? ago : ''}`)} `;
}
