import { durationInWords } from '../../core/text/quantities.ts';
import { counted, grouped } from '../../core/text/text.ts';
import type { MembersOutput } from '../../engine/operations/machine/members.ts';
import { ask } from '../api.ts';
import { Ready } from '../parts/elements.tsx';
import { useLoaded, useTick } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { TableCard, words } from '../parts/table.tsx';
import { moment } from '../parts/words.ts';

type Worker = MembersOutput['workers'][number];

const tones = { ready: 'good', draining: 'warn', lost: 'bad' } as const;

function State({ state }: { readonly state: Worker['state'] }) {
  return <span class={`badge ${tones[state]}`}>{state}</span>;
}

function heard(heartbeat: string | null): string {
  return heartbeat === null ? 'never' : moment(heartbeat);
}

function behind(changes: number): string {
  return changes === 0 ? 'up to date' : `${counted(changes, 'change')} behind`;
}

/** Counts of what there is, and of what is missing. */
function Summary({ status }: { readonly status: MembersOutput }) {
  const { name, catalogue, servers, workers } = status;
  const lost = [...servers, ...workers].filter(({ state }) => state === 'lost').length;
  return (
    <p class="row health-summary" role="status">
      {words(name)}
      <span class="badge">{counted(servers.length, 'server')}</span>
      <span class="badge">{counted(workers.length, 'worker')}</span>
      {lost > 0 && <span class="badge bad">{grouped(lost)} lost</span>}
      <span class="quiet">catalogue at revision {grouped(catalogue.revision)}</span>
    </p>
  );
}

function Workers({ workers }: Pick<MembersOutput, 'workers'>) {
  return (
    <TableCard
      id="cluster-workers"
      title="Workers"
      rows={workers}
      empty={
        <>
          No worker is connected. Start one with <code>repertoire worker --cluster URL</code>.
        </>
      }
      columns={[
        { title: 'Name', show: ({ name }) => words(name) },
        { title: 'State', show: ({ state }) => <State state={state} /> },
        { title: 'Running', show: ({ running, capacity }) => `${running} of ${capacity}`, look: 'number' },
        { title: 'Takes', show: ({ runtimes, labels }) => words([...runtimes, ...labels].join(', ')) },
        { title: 'Host', show: ({ host }) => words(host) },
        { title: 'Last heard of', show: ({ heartbeat }) => heard(heartbeat) },
      ]}
    />
  );
}

function Queues({ servers }: Pick<MembersOutput, 'servers'>) {
  const rows = servers.flatMap(({ host, queues }) => queues.map((queue) => ({ host, ...queue })));
  return (
    <TableCard
      id="cluster-queues"
      title="Queues"
      rows={rows.filter(({ waiting }) => waiting > 0)}
      empty="Nothing waits for a worker."
      columns={[
        { title: 'Wants', show: ({ wants }) => words(wants) },
        { title: 'Server', show: ({ host }) => words(host) },
        { title: 'Waiting', show: ({ waiting }) => grouped(waiting), look: 'number' },
        { title: 'Users', show: ({ users }) => grouped(users), look: 'number' },
      ]}
    />
  );
}

function Servers({ servers }: Pick<MembersOutput, 'servers'>) {
  return (
    <TableCard
      id="cluster-servers"
      title="Servers"
      rows={servers}
      empty="No server has told of itself yet."
      columns={[
        { title: 'Host', show: ({ host }) => words(host) },
        { title: 'Process', show: ({ pid }) => pid, look: 'number' },
        { title: 'State', show: ({ state }) => <State state={state} /> },
        { title: 'Channel', show: ({ channel }) => words(channel) },
        { title: 'Catalogue', show: ({ lag }) => behind(lag) },
        { title: 'Version', show: ({ version }) => words(version) },
        { title: 'Last heard of', show: ({ heartbeat }) => heard(heartbeat) },
      ]}
    />
  );
}

function Nodes({ nodes }: Pick<MembersOutput, 'nodes'>) {
  return (
    <TableCard
      id="cluster-nodes"
      title="Nodes of NATS"
      rows={nodes}
      empty="No node is known."
      columns={[
        { title: 'Address', show: ({ address }) => words(address) },
        { title: 'This server', show: ({ connected }) => (connected ? 'connected' : '') },
      ]}
    />
  );
}

function Chains({ chains }: Pick<MembersOutput, 'chains'>) {
  return (
    <TableCard
      id="cluster-chains"
      title="Audit logs"
      rows={chains}
      empty="No record has been sent yet."
      columns={[
        { title: 'Machine', show: ({ host }) => words(host) },
        { title: 'Key', show: ({ node }) => words(node.slice(0, 12)) },
        {
          title: 'Sent up to record',
          show: ({ last }) => (last === null ? <span class="badge bad">none of ours</span> : grouped(last)),
          look: 'number',
        },
      ]}
    />
  );
}

function Copies({ copies }: MembersOutput['catalogue']) {
  if (copies.length === 0) return null;
  return (
    <TableCard
      id="cluster-copies"
      title="Copies of the catalogue"
      rows={copies}
      empty=""
      columns={[
        { title: 'Node', show: ({ node }) => words(node) },
        { title: 'Role', show: ({ leads }) => (leads ? 'leads' : 'follows') },
        { title: 'Lag', show: ({ lag }) => behind(lag) },
        {
          title: 'Heard of',
          show: ({ silentMs }) =>
            silentMs === null ? <span class="badge bad">away</span> : `${durationInWords(silentMs)} ago`,
        },
      ]}
    />
  );
}

/** Interval of reloading. */
const everyMs = 3000;

/** The cluster page: who takes part, how busy and how far behind. */
export function Cluster() {
  const status = useLoaded((signal) => ask('members', {}, signal), [useTick(everyMs)]);
  return (
    <>
      <div class="page-head">
        <h1>Cluster</h1>
        <button type="button" onClick={status.again}>
          <Icon name="refresh" />
          Refresh
        </button>
      </div>
      <Ready loaded={status}>
        {(value) => (
          <>
            <Summary status={value} />
            <Workers workers={value.workers} />
            <Queues servers={value.servers} />
            <Servers servers={value.servers} />
            <div class="health-cards">
              <Nodes nodes={value.nodes} />
              <Chains chains={value.chains} />
              <Copies {...value.catalogue} />
            </div>
          </>
        )}
      </Ready>
    </>
  );
}
