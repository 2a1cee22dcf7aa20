import { type Cluster, openCluster } from '../../cluster/connection.ts';
import { SkillError } from '../../core/errors.ts';
import type { Engine } from '../engine.ts';

/** The connection of an engine to its cluster, which all that need it share; it ends with the engine. */
export function clusterOf(engine: Engine): Cluster {
  if (engine.cluster !== undefined) return engine.cluster;
  const { values } = engine.configuration;
  if (values.cluster === undefined) {
    throw new SkillError('usage', 'no cluster is given', {
      hint: 'Give the addresses of its nodes, as in --cluster nats://127.0.0.1:4222',
    });
  }
  const cluster = openCluster(values, engine.environment);
  engine.cluster = cluster;
  engine.disposers.add(() => void cluster.close());
  return cluster;
}
