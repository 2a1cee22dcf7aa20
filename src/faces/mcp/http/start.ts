import type { Settings } from '../../../core/config/settings.ts';
import { expandPath } from '../../../core/disk/paths.ts';
import type { Environment } from '../../../core/environment.ts';
import { SkillError } from '../../../core/errors.ts';
import type { Logger } from '../../../core/log.ts';
import type { Metric } from '../../../core/metrics.ts';
import type { SessionHealth } from '../../../engine/operations/machine/health.ts';
import { figuresOf } from '../../../engine/telemetry/figures.ts';
import { requireScope } from '../../http/access.ts';
import { answerJson, isReading } from '../../http/answers.ts';
import type { Exchange, Route } from '../../http/exchange.ts';
import { isLoopback, secureUrl } from '../../http/guards.ts';
import { metricsText } from '../../http/journal.ts';
import { listen } from '../../http/listen.ts';
import type { MakePages, Running, ServedPages } from '../serve.ts';
import { createServerFactory } from '../server.ts';
import type { Service } from '../service.ts';
import type { Stop } from '../stop.ts';
import { createEndpoint, type HttpServerFactory } from './endpoint.ts';
import { createEventEndpoint } from './events.ts';

export type HttpSettings = Pick<
  Settings,
  | 'transport'
  | 'host'
  | 'port'
  | 'authToken'
  | 'oauthIssuer'
  | 'oauthAudience'
  | 'oauthGroupsClaim'
  | 'publicUrl'
  | 'trustedProxies'
  | 'basePath'
  | 'tlsCert'
  | 'tlsKey'
  | 'allowedHosts'
  | 'allowedOrigins'
  | 'sessionTimeout'
>;

/** Serves any number of clients over HTTP. */
export async function startHttp(
  service: Service,
  settings: Settings,
  _stop: Stop,
  makePages?: MakePages,
): Promise<Running> {
  if (settings.accessFile !== undefined) await checkRules(service, settings);
  const pages = await makePages?.(service);
  const serving = await serveHttp(createServerFactory(service), settings, service.log, pages, service);
  if (
    settings.authToken === undefined &&
    settings.oauthIssuer === undefined &&
    service.tools.includes('skill-engine/execute')
  ) {
    service.log.info(
      'without a token every user of this machine can run tools here: set REPERTOIRE_TOKEN to keep it to yourself',
    );
  }
  // The reason names skills, and rules may hide them.
  service.onChange((reason) =>
    serving.notifyChanged(settings.accessFile === undefined ? reason : 'the skills changed'),
  );
  service.addVitals({ sessions: serving.sessions });
  return serving;
}

export interface Serving extends Running {
  readonly url: string;
  notifyChanged(reason: string): void;
  readonly sessions: () => readonly SessionHealth[];
}

/** Serves any kind of MCP server over HTTP. */
export async function serveHttp(
  factory: HttpServerFactory,
  settings: HttpSettings,
  log: Logger,
  pages?: ServedPages,
  service?: Service,
): Promise<Serving> {
  const { sessionTimeout, transport, authToken } = settings;
  const endpoint = createEndpoint(factory, { sessionTimeout, log, ...(await sharedWith(service, sessionTimeout)) });
  const events = createEventEndpoint(factory, '/messages', sessionTimeout, log);
  const mcp: Record<string, Route> =
    transport === 'sse'
      ? {
          '/mcp': (exchange) => (opensEvents(exchange) ? events.open(exchange) : endpoint.handle(exchange)),
          '/messages': (exchange) => events.receive(exchange),
        }
      : { '/mcp': (exchange) => endpoint.handle(exchange) };
  const http = await listen(
    {
      ...{
        ...settings,
        ...publicSide(settings),
        tls: tlsOf(settings, service?.engine.environment),
        token: authToken,
        log,
        pages,
      },
      ...(service && {
        operatorRoutes: { '/metrics': metricsRoute(service, () => http.requests.metrics()) },
        openRoutes: { '/readyz': readiness(service) },
      }),
    },
    mcp,
  );
  service?.engine.telemetry?.addMetrics(() => http.requests.metrics());
  log.info(`listening on ${http.boundUrl}/mcp`);
  if (http.url !== http.boundUrl) log.info(`on this machine: ${http.url}/mcp`);
  if (pages !== undefined) log.info(`the console: ${http.url}${pages.path}`);
  pages?.ready?.(http.url);
  return {
    url: `${http.url}/mcp`,
    notifyChanged(reason) {
      endpoint.notifyChanged(reason);
      events.notifyChanged(reason);
    },
    sessions: () => [...endpoint.list(), ...events.list()],
    async finish() {
      const closed = http.close(Number.POSITIVE_INFINITY); // the caller sets the deadline
      pages?.close();
      await Promise.all([endpoint.idle(), events.idle()]);
      await Promise.all([endpoint.close(), events.close()]); // the streams, which would never end by themselves
      await closed;
    },
    close: () => http.close(0),
  };
}

/** Throws where the rules of who may do what are wrong, or nobody could be told by a token who they are. */
async function checkRules({ engine }: Service, { oauthIssuer }: Settings): Promise<void> {
  if (oauthIssuer === undefined) {
    throw new SkillError('usage', 'rules hold for callers whom an access token names, and this server accepts none', {
      hint: 'Name the authorization server with --oauth-issuer, or leave --access-file out.',
    });
  }
  await (await import('../../../engine/access/tenant.ts')).checkAccess(engine);
}

/** The part of sessions that a server of a cluster shares with the others. */
async function sharedWith(service: Service | undefined, timeoutMs: number) {
  if (service?.engine.configuration.values.cluster === undefined) return {};
  const { answersOf, sessionsOf } = await import('../../../engine/cluster/sessions.ts');
  const { createSharedSessions } = await import('./shared-sessions.ts');
  const { createPartialAnswers } = await import('./partial-answers.ts');
  const shared = createSharedSessions(sessionsOf(service.engine), timeoutMs);
  return { shared, answers: createPartialAnswers(answersOf(service.engine)) };
}

/** Options of a server that others know by another URL, or whose tokens another server issues. */
function publicSide({ host, oauthIssuer, oauthAudience, oauthGroupsClaim, publicUrl, allowedHosts }: HttpSettings) {
  const hosts = publicUrl === undefined ? [] : [secureUrl(publicUrl, 'the public URL').host];
  const named = { allowedHosts: [...allowedHosts, ...hosts] };
  if (oauthIssuer === undefined) return named;
  secureUrl(oauthIssuer, 'the issuer');
  if (publicUrl === undefined && !isLoopback(host)) {
    throw new SkillError('usage', 'access tokens are issued for a URL, and this server does not know its own', {
      hint: 'Give the URL that clients use: --public-url https://skills.example.com/mcp',
    });
  }
  const resource = (url: string): string => publicUrl ?? `${url}/mcp`;
  return {
    ...named,
    oauth: { issuer: oauthIssuer, audiences: oauthAudience, groupsClaim: oauthGroupsClaim, resource },
  };
}

/** The files for encryption: both, or none. */
function tlsOf({ tlsCert, tlsKey }: HttpSettings, environment: Environment | undefined) {
  const [cert, key] = [tlsCert, tlsKey].map((path) => path && environment && expandPath(path, environment));
  if (cert === undefined && key === undefined) return undefined;
  if (cert !== undefined && key !== undefined) return { cert, key };
  throw new SkillError('usage', 'a certificate and its key are only of use together', {
    hint: 'Give both: --tls-cert FILE --tls-key FILE',
  });
}

/** Whether a request opens a stream of events: one that has no session yet. */
function opensEvents({ request }: Exchange): boolean {
  return request.method === 'GET' && request.headers['mcp-session-id'] === undefined;
}

/** Whether the skills have been read, so that a balancer may send clients here. */
function readiness({ engine }: Service): Route {
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
function metricsRoute({ engine }: Service, others: () => readonly Metric[]): Route {
  return async (exchange) => {
    if (!isReading(exchange) || !requireScope(exchange, 'admin')) return;
    const text = metricsText([...(await figuresOf(engine)), ...others()]);
    exchange.response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
  };
}
