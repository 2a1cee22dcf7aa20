import { createServer } from 'node:http';
import { listenOn } from './listen.ts';

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A span as OTLP names its parts. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number; readonly message?: string };
}

export interface SentMetric {
  readonly name: string;
  readonly sum?: Points & { readonly isMonotonic: boolean };
  readonly gauge?: Points;
  readonly histogram?: Points;
}

interface Points {
  readonly aggregationTemporality?: number;
  readonly dataPoints: readonly Readonly<Record<string, unknown>>[];
}

interface Resource {
  readonly resource: { readonly attributes: readonly Attribute[] };
}

interface Body {
  readonly resourceSpans?: readonly (Resource & {
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  })[];
  readonly resourceMetrics?: readonly (Resource & {
    readonly scopeMetrics: readonly { readonly metrics: readonly SentMetric[] }[];
  })[];
}

/** A collector on this machine that keeps what it is sent. */
export interface Collector {
  readonly url: string;
  /** The paths, headers and bodies of all requests. */
  readonly requests: readonly { readonly path: string; readonly headers: NodeJS.Dict<unknown>; readonly body: Body }[];
  spans(): readonly Span[];
  metrics(): readonly SentMetric[];
  /** What it answers from now on; 0 answers nothing, and cuts the connection. */
  answer(status: number): void;
}

export async function startCollector(): Promise<Collector> {
  const requests: { path: string; headers: NodeJS.Dict<unknown>; body: Body }[] = [];
  const taken: Body[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const body = JSON.parse(text) as Body;
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      if (status === 0) return void request.socket.destroy();
      if (status === 200) taken.push(body);
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  return {
    url: `http://127.0.0.1:${await listenOn(server)}`,
    requests,
    spans: () =>
      taken.flatMap((body) => body.resourceSpans ?? []).flatMap((one) => one.scopeSpans.flatMap((all) => all.spans)),
    metrics: () =>
      taken
        .flatMap((body) => body.resourceMetrics ?? [])
        .flatMap((one) => one.scopeMetrics.flatMap((all) => all.metrics)),
    answer(next) {
      status = next;
    },
  };
}

/** Attributes by their names, whatever their types. */
export function attributesOf({ attributes }: { readonly attributes: readonly Attribute[] }): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
