import { chainEndSchema } from '../../../cluster/records/chains.ts';
import { choice, count, flag, type Infer, list, nullable, object, text, time } from '../../../core/schema/schema.ts';
import { byText } from '../../../core/text/text.ts';
import { defineOperation } from '../../operation.ts';
import { enforcementSchema } from '../../running/types.ts';

const heartbeat = nullable(time(), 'When it last gave a sign of life by itself; null where it never did.');

const output = object({
  name: text(),
  nodes: list(object({ address: text(), connected: flag('Whether this answer came through it.') })),
  catalogue: object({
    revision: count('Goes up with every change.'),
    copies: list(
      object({
        node: text(),
        leads: flag(),
        lag: count('Changes that it does not have yet.'),
        silentMs: nullable(count(), 'Since the leader has heard of it; null where it is away.'),
      }),
      'The nodes that keep the catalogue, where there is more than one.',
    ),
  }),
  chains: list(
    chainEndSchema,
    'How far the audit logs of all nodes have been sent: `audit verify` says whether they are whole.',
  ),
  servers: list(
    object({
      id: text(),
      host: text(),
      pid: count(),
      version: text(),
      startedAt: time(),
      channel: text(),
      state: choice(['ready', 'lost']),
      heartbeat,
      lag: count('Changes of the catalogue that it has not taken in yet.'),
      queues: list(
        object({
          wants: text('The runtime, and the labels that a worker must have.'),
          waiting: count(),
          users: count('Those whom they are for: each gets a turn after the other.'),
        }),
        'Executions that wait there for workers.',
      ),
    }),
  ),
  workers: list(
    object({
      id: text(),
      name: text(),
      host: text(),
      labels: list(text()),
      runtimes: list(text()),
      running: count(),
      capacity: count(),
      state: choice(['ready', 'draining', 'lost']),
      heartbeat,
      enforcement: list(enforcementSchema),
    }),
  ),
});
export type MembersOutput = Infer<typeof output>;

/** Asks a cluster which nodes, servers and workers it has, how far behind and how busy those are. */
export const members = defineOperation({
  name: 'members',
  effect: 'reads',
  concernsSkills: false,
  input: {},
  output,
  async run(engine): Promise<MembersOutput> {
    const [{ clusterOf }, { membersOf }, { copiesOf }, { openRecords }, { endsOfChains }, { patiently }] =
      await Promise.all([
        import('../../cluster/membership.ts'),
        import('../../../cluster/members.ts'),
        import('../../../cluster/buckets.ts'),
        import('../../../cluster/records/stream.ts'),
        import('../../../cluster/records/verify.ts'),
        import('../../../cluster/patience.ts'),
      ]);
    const cluster = clusterOf(engine);
    const connection = await cluster.reached();
    const here = connection.getServer();
    const told = connection.info?.connect_urls ?? [];
    const given = cluster.address.split(',').map((address) => address.replace(/^\w+:\/\//, ''));
    const nodes = [...new Set([here, ...told, ...given])].map((address) => ({ address, connected: address === here }));
    const { catalogue, chains, servers, workers } = await patiently(async () => ({
      catalogue: (await copiesOf(connection, cluster.names.catalogue)) ?? { revision: 0, copies: [] },
      chains: await endsOfChains(await openRecords(connection, cluster.names)),
      ...(await membersOf(cluster, connection)),
    }));
    return {
      ...{ name: cluster.name, nodes, catalogue, chains },
      servers: servers
        .map(({ isThere, revision, ...server }) => ({
          ...server,
          state: isThere ? ('ready' as const) : ('lost' as const),
          lag: Math.max(0, catalogue.revision - revision),
        }))
        .sort((a, b) => byText(`${a.host} ${a.startedAt}`, `${b.host} ${b.startedAt}`)),
      workers: workers
        .map(({ isThere, state, ...worker }) => ({ ...worker, state: isThere ? state : ('lost' as const) }))
        .sort((a, b) => byText(a.name, b.name)),
    };
  },
});
