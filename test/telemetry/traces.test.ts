import { describe, expect, it } from 'vitest';
import { shTool, startTestWorker, TestCaller } from '../cluster/team.ts';
import { auditOf, callOf, lab } from '../execute/library.ts';
import { ask, openSession } from '../serve/http.ts';
import { attributesOf, type Collector, type Span, startCollector } from '../support/collector.ts';
import { connectStdio, startHttp } from '../support/mcp.ts';
import { startNats } from '../support/nats.ts';
import type { World } from '../support/world.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${spanId}-01`;
const soon = { OTEL_BSP_SCHEDULE_DELAY: '20' };

async function served(world: World, collector: Collector, more: Readonly<Record<string, string>> = soon) {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...more };
  const server = await startHttp(world, ['serve', '--http', '--log-level', 'debug'], { env });
  return { ...server, session: await openSession(server.url) };
}

type Served = Awaited<ReturnType<typeof served>>;

function call({ url, session }: Served, meta: object = {}, headers: Readonly<Record<string, string>> = {}) {
  const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { ...callOf('hello'), _meta: meta } };
  return ask(url, { headers: { ...session.headers, ...headers }, body });
}

/** Waits for a span of this name in the trace of the test. */
async function spanNamed(collector: Collector, name: string | RegExp, trace = traceId): Promise<Span> {
  const found = (): Span | undefined =>
    collector.spans().find((span) => span.traceId === trace && span.name.match(name) !== null);
  await expect.poll(found, { timeout: 30_000 }).toBeDefined();
  return found() as Span;
}

describe('the traces of a server', () => {
  it('go on with the trace in the message of a client, as far as its execution and its record', async () => {
    const [collector, world] = [await startCollector(), lab({ hello: 'echo hello' })];
    const server = await served(world, collector);
    const answer = await call(server, { traceparent, tracestate: 'vendor=1' });
    const execution = await spanNamed(collector, 'execute_tool hello');
    const operation = await spanNamed(collector, /^(?!execute_tool)/);
    expect(operation).toMatchObject({ parentSpanId: spanId, traceState: 'vendor=1', kind: 2, status: {} });
    expect(execution).toMatchObject({ parentSpanId: operation.spanId, kind: 1, status: {} });
    expect(BigInt(execution.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(execution.startTimeUnixNano));
    const request = answer.headers['x-request-id'];
    const [row] = await auditOf(world);
    expect(row).toMatchObject({ tool: 'hello', request, trace: traceId });
    expect(attributesOf(execution)).toMatchObject({
      ...{ 'gen_ai.tool.name': 'hello', 'repertoire.execution.id': row?.id, 'process.exit.code': '0' },
      ...{ 'repertoire.execution.result': 'exited', 'repertoire.request.id': request },
    });
    // The request that was answered stands in the log by the same id, with the trace.
    const lines = server.process.stderr.split('\n').filter((line) => line.includes(String(request)));
    expect(lines.some((line) => line.includes(traceId))).toBe(true);
    expect(collector.requests[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'content-type': 'application/json' },
    });
  });

  it('take the header where the message has none, and begin a trace where nobody has', async () => {
    const collector = await startCollector();
    const server = await served(lab({ hello: 'echo hello' }), collector);
    await call(server, {}, { traceparent });
    expect(await spanNamed(collector, /^(?!execute_tool)/)).toMatchObject({ parentSpanId: spanId });
    await call(server, { traceparent: 'nonsense' });
    const others = (): readonly Span[] => collector.spans().filter((span) => span.traceId !== traceId);
    const both = (): readonly Span[] => {
      const execution = others().find(({ name }) => name === 'execute_tool hello');
      return others().filter((span) => span === execution || span.spanId === execution?.parentSpanId);
    };
    await expect.poll(() => both().length, { timeout: 30_000 }).toBe(2);
    expect(new Set(both().map((span) => span.traceId)).size).toBe(1);
    expect(both()[0]?.traceId).toMatch(/^[0-9a-f]{32}$/);
  });

  it('tell of what failed, and leave out what nobody wants to see', async () => {
    const collector = await startCollector();
    const server = await served(lab({ hello: 'exit 3' }), collector);
    await call(server, { traceparent: traceparent.replace(/01$/, '00') });
    const other = traceId.replace('0af', '1af');
    await call(server, { traceparent: traceparent.replace('0af', '1af') });
    const execution = await spanNamed(collector, 'execute_tool hello', other);
    expect(execution.status).toEqual({ code: 2, message: 'exited' });
    expect(collector.spans().filter((span) => span.traceId === traceId)).toEqual([]);
  });

  it('are sent when the collector is back, and the log says both', async () => {
    const collector = await startCollector();
    const server = await served(lab({ hello: 'echo hello' }), collector);
    collector.answer(503);
    await call(server, { traceparent });
    await server.process.logged(/traces and metrics cannot be sent/);
    expect(collector.spans()).toEqual([]);
    collector.answer(200);
    await spanNamed(collector, 'execute_tool hello');
    await server.process.logged(/are sent again/);
  });

  it('are sent before a server ends', async () => {
    const collector = await startCollector();
    const server = await served(lab({ hello: 'echo hello' }), collector, { OTEL_BSP_SCHEDULE_DELAY: '600000' });
    await call(server, { traceparent });
    server.process.child.kill('SIGTERM');
    expect(await server.process.exited).toBe(0);
    expect(collector.spans().map(({ name }) => name)).toContain('execute_tool hello');
    expect(collector.metrics().map(({ name }) => name)).toContain('repertoire_executions_total');
  });

  it('are of no concern to whoever is served while there is no collector', async () => {
    const collector = await startCollector();
    collector.answer(0);
    const server = await served(lab({ hello: 'echo hello' }), collector);
    for (let at = 0; at < 3; at++) expect((await call(server)).status).toBe(200);
    await server.process.logged(/cannot be sent/);
    expect(server.process.stderr.match(/cannot be sent/g)).toHaveLength(1);
  });
});

it('a server says that it speaks no other protocol of OpenTelemetry, and serves', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
  const server = await connectStdio(lab({ hello: 'echo hello' }), ['serve'], { env });
  await server.logged(/no traces and metrics are sent: OTLP is spoken over HTTP alone/);
});

it('a trace leads from the client over the server to the worker, in spans and in the records of both', async () => {
  const [nats, collector] = [await startNats(), await startCollector()];
  const worker = await startTestWorker(nats, 'one', ['--otlp-endpoint', collector.url]);
  const caller = new TestCaller(nats);
  caller.shop.skill(shTool('hello', 'echo hello'));
  const server = await caller.serve('--otlp-endpoint', collector.url);
  const parameters = { skill_name: 'demo', tool_name: 'hello', parameters: {} };
  const params = {
    name: 'skill-engine/execute',
    arguments: parameters,
    _meta: { traceparent, tracestate: 'vendor=1' },
  };
  await server.request('tools/call', params);
  const both = (): readonly Span[] => collector.spans().filter(({ name }) => name === 'execute_tool hello');
  await expect.poll(() => both().length, { timeout: 30_000 }).toBe(2);
  const [here, there] = [both().find(({ kind }) => kind === 3), both().find(({ kind }) => kind === 2)];
  expect(there).toMatchObject({ traceId, parentSpanId: here?.spanId, traceState: 'vendor=1' });
  expect(here).toMatchObject({ traceId });
  expect(attributesOf(there as Span)).toMatchObject({ 'repertoire.worker': 'one' });
  for (const shop of [worker.shop, caller.shop]) expect(shop.records().at(-1)).toMatchObject({ trace: traceId });
});
