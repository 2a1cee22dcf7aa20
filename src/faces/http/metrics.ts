import type { Metric } from '../../core/metrics.ts';
import type { Exchange } from './exchange.ts';

/** Metrics in the text format that Prometheus reads. */
export function metricsText(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap(({ name, type, help, values }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...values.map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${value}`),
  ]);
  return `${lines.join('\n')}\n`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escaped)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(sign: string): string {
  return sign === '\n' ? '\\n' : `\\${sign}`;
}

/** Upper bounds of the times that requests take, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60] as const;

/** Counts of requests by status, and of the time they took. */
export interface RequestCounts {
  add(exchange: Exchange): void;
  metrics(): readonly Metric[];
}

export function countRequests(): RequestCounts {
  const statuses = new Map<number, number>();
  const buckets = bounds.map(() => 0);
  let [seconds, all] = [0, 0];
  return {
    add({ response: { statusCode }, startedAt }) {
      const took = (performance.now() - startedAt) / 1000;
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      for (const [at, bound] of bounds.entries()) if (took <= bound) buckets[at] = (buckets[at] ?? 0) + 1;
      seconds += took;
      all += 1;
    },
    metrics: () => [
      {
        name: 'repertoire_http_requests_total',
        type: 'counter',
        help: 'HTTP requests that are over, by status.',
        values: [...statuses].map(([status, value]) => ({ labels: { status: String(status) }, value })),
      },
      {
        name: 'repertoire_http_request_duration_seconds',
        type: 'histogram',
        help: 'Time from the first byte of a request to the end of its answer; streams last as long as they are open.',
        values: [
          ...bounds.map(
            (bound, at) => ({ suffix: '_bucket', labels: { le: String(bound) }, value: buckets[at] ?? 0 }) as const,
          ),
          { suffix: '_bucket', labels: { le: '+Inf' }, value: all },
          { suffix: '_sum', value: seconds },
          { suffix: '_count', value: all },
        ],
      },
    ],
  };
}
