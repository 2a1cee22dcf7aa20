import { requireScope } from '../../http/access.ts';
import { answerJson, isReading } from '../../http/answers.ts';
import type { Route } from '../../http/exchange.ts';
import { type Metric, metricsText } from '../../http/metrics.ts';
import type { Service } from '../service.ts';

/** Whether the skills have been read, so that a balancer may send clients here. */
export function readiness({ engine }: Service): Route {
  return (exchange) => {
    if (!isReading(exchange)) return;
    const { registry, cluster } = engine;
    // Without its cluster a server goes on with what it has: that is worth knowing, and no reason to turn clients away.
    const body = { status: 'ready', ...(cluster && { cluster: cluster.status.state }) };
    if (registry.current !== undefined) answerJson(exchange, 200, JSON.stringify(body));
    else answerJson(exchange, 503, '{"status":"reading the skills"}', { 'Retry-After': '1' });
  };
}

/** The figures of this server for Prometheus. */
export function metricsRoute(service: Service, others: () => readonly Metric[]): Route {
  return async (exchange) => {
    if (!isReading(exchange) || !requireScope(exchange, 'admin')) return;
    const text = metricsText([...(await ownMetrics(service)), ...others()]);
    exchange.response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
  };
}

async function ownMetrics({ engine, version }: Service): Promise<Metric[]> {
  const { registry, vitals, cluster } = engine;
  const runner = await engine.runner;
  const { user, system } = process.cpuUsage();
  return [
    gauge('repertoire_info', 'What runs here.', 1, { version, node: process.version }),
    gauge('process_start_time_seconds', 'When this server started.', Date.parse(vitals?.startedAt ?? '') / 1000),
    gauge('process_resident_memory_bytes', 'Memory of this process.', process.memoryUsage.rss()),
    {
      ...gauge('process_cpu_seconds_total', 'Processor time of this process.', (user + system) / 1e6),
      type: 'counter',
    },
    gauge('repertoire_skills', 'Skills that agents see.', registry.current?.visible.length ?? 0),
    gauge('repertoire_sessions', 'Open sessions of the handshake era.', vitals?.sessions().length ?? 0),
    ...(cluster === undefined
      ? []
      : [
          gauge(
            'repertoire_cluster_connected',
            'Whether the cluster can be reached.',
            Number(cluster.status.state === 'connected'),
          ),
        ]),
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
