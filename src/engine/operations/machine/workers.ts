import { workersOf } from '../../../cluster/workers/census.ts';
import { workerSchema } from '../../../cluster/workers/messages.ts';
import { flag, type Infer, list, object, text } from '../../../core/schema/schema.ts';
import { clusterOf } from '../../cluster/membership.ts';
import { defineOperation } from '../../operation.ts';

const output = object({
  name: text(),
  nodes: list(object({ address: text(), connected: flag('Whether this answer came through it.') })),
  workers: list(workerSchema),
});
export type WorkersOutput = Infer<typeof output>;

/** Asks a cluster which nodes and workers it has, and how busy those are. */
export const workers = defineOperation({
  name: 'workers',
  effect: 'reads',
  concernsSkills: false,
  input: {},
  output,
  async run(engine): Promise<WorkersOutput> {
    const cluster = clusterOf(engine);
    const connection = await cluster.reached();
    const here = connection.getServer();
    const told = connection.info?.connect_urls ?? [];
    const given = cluster.address.split(',').map((address) => address.replace(/^\w+:\/\//, ''));
    const nodes = [...new Set([here, ...told, ...given])].map((address) => ({ address, connected: address === here }));
    return { name: cluster.name, nodes, workers: await workersOf(connection, cluster.names) };
  },
});
