import type { Metric } from '../../../core/metrics.ts';
import { figuresOf } from '../../../engine/telemetry/figures.ts';
import { requireScope } from '../../http/access.ts';
import { answerJson, isReading } from '../../http/answers.ts';
import type { Route } from '../../http/exchange.ts';
import { metricsText } from '../../http/metrics.ts';
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
export function metricsRoute({ engine }: Service, others: () => readonly Metric[]): Route {
  return async (exchange) => {
    if (!isReading(exchange) || !requireScope(exchange, 'admin')) return;
    const text = metricsText([...(await figuresOf(engine)), ...others()]);
    exchange.response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
  };
}
