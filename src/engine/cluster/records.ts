import { patiently } from '../../cluster/patience.ts';
import type { ClusterChains } from '../../cluster/records/chains.ts';
import { sendRecords } from '../../cluster/records/send.ts';
import { openRecords } from '../../cluster/records/stream.ts';
import { verifyRecords } from '../../cluster/records/verify.ts';
import type { Engine } from '../engine.ts';
import { clusterOf } from './membership.ts';

/**
 * Has the records of this machine's audit log sent to the cluster for as long as the engine lives. Returns what resolves
 * once those that are there have been.
 */
export function copyRecords(engine: Engine): () => Promise<void> {
  const ending = new AbortController();
  engine.disposers.add(() => ending.abort());
  return sendRecords(clusterOf(engine), {
    environment: engine.environment,
    signal: ending.signal,
    onProblem: (reason) => engine.log?.warn(`audit records wait to be sent to the cluster: ${reason}`),
  });
}

/** Checks the records that the cluster has of all its nodes. */
export async function verifyCluster(engine: Engine): Promise<ClusterChains> {
  const cluster = clusterOf(engine);
  const connection = await cluster.reached();
  return patiently(async () => verifyRecords(await openRecords(connection, cluster.names), cluster.name));
}
