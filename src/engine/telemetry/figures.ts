import type { Metric } from '../../core/telemetry.ts';
import { version } from '../../core/version.ts';
import type { Engine } from '../engine.ts';

/** The figures of a process that serves, for whoever watches it. */
export async function figuresOf(engine: Engine): Promise<Metric[]> {
  const { registry, vitals, cluster, telemetry } = engine;
  const runner = await engine.runner;
  const { user, system } = process.cpuUsage();
  return [
    gauge('repertoire_info', 'What runs here.', 1, { version: version(), node: process.version }),
    gauge('process_start_time_seconds', 'When this process started.', performance.timeOrigin / 1000),
    gauge('process_resident_memory_bytes', 'Memory of this process.', process.memoryUsage.rss()),
    counter('process_cpu_seconds_total', 'Processor time of this process.', (user + system) / 1e6),
    gauge('repertoire_skills', 'Skills that agents see.', registry.current?.visible.length ?? 0),
    ...(vitals === undefined
      ? []
      : [gauge('repertoire_sessions', 'Open sessions of the handshake era.', vitals.sessions().length)]),
    ...(cluster === undefined
      ? []
      : [
          gauge(
            'repertoire_cluster_connected',
            'Whether the cluster can be reached.',
            Number(cluster.status.state === 'connected'),
          ),
        ]),
    ...(telemetry === undefined
      ? []
      : [counter('repertoire_telemetry_dropped_total', 'Spans that could not be sent.', telemetry.dropped)]),
    gauge('repertoire_executions_running', 'Executions under way.', runner?.underWay.size ?? 0),
    {
      name: 'repertoire_executions_total',
      type: 'counter',
      help: 'Executions that are over, by result.',
      values: [...(runner?.results ?? [])].map(([result, value]) => ({ labels: { result }, value })),
    },
  ];
}

function gauge(name: string, help: string, value: number, labels: Readonly<Record<string, string>> = {}): Metric {
  return { name, type: 'gauge', help, values: [{ labels, value }] };
}

function counter(name: string, help: string, value: number): Metric {
  return { name, type: 'counter', help, values: [{ value }] };
}
