import { expect, it } from 'vitest';
import { lab } from '../execute/library.ts';
import { ask } from '../serve/http.ts';
import { attributesOf, startCollector } from '../support/collector.ts';
import { startHttp } from '../support/mcp.ts';

it('the figures for Prometheus are sent to a collector too, in its own shapes', async () => {
  const collector = await startCollector();
  const env = {
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, OTEL_METRIC_EXPORT_INTERVAL: '100' },
    ...{ OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b, x-other=c=d', OTEL_SERVICE_NAME: 'skills' },
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
  };
  const { url } = await startHttp(lab({ hello: 'echo hello' }), ['serve', '--http'], { env });
  await ask(url.replace('/mcp', '/healthz'), { method: 'GET' });
  const latest = (name: string) => collector.metrics().findLast((metric) => metric.name === name);
  const requests = () => latest('repertoire_http_requests_total')?.sum?.dataPoints[0];
  await expect.poll(requests, { timeout: 30_000 }).toMatchObject({
    ...{ asDouble: 1, attributes: [{ key: 'status', value: { stringValue: '200' } }] },
    ...{ startTimeUnixNano: expect.stringMatching(/^\d{19}$/), timeUnixNano: expect.stringMatching(/^\d{19}$/) },
  });
  expect(latest('repertoire_http_requests_total')?.sum).toMatchObject({ isMonotonic: true, aggregationTemporality: 2 });
  expect(latest('repertoire_skills')?.gauge?.dataPoints).toHaveLength(1);
  const [times] = latest('repertoire_http_request_duration_seconds')?.histogram?.dataPoints ?? [];
  const { bucketCounts, explicitBounds, count } = times as Record<string, string[]>;
  expect(bucketCounts).toHaveLength((explicitBounds?.length ?? 0) + 1);
  expect(bucketCounts?.map(Number).reduce((sum, one) => sum + one, 0)).toBe(Number(count));
  const sent = collector.requests.find(({ path }) => path === '/v1/metrics');
  expect(sent?.headers).toMatchObject({ 'x-key': 'a b', 'x-other': 'c=d' });
  const [resource] = sent?.body.resourceMetrics ?? [];
  expect(attributesOf(resource?.resource ?? { attributes: [] })).toMatchObject({
    ...{ 'service.name': 'skills', 'deployment.environment': 'test', 'repertoire.role': 'server' },
  });
});
