import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { createLogger } from '../../src/core/log.ts';
import { type Serving, serveHttp } from '../../src/faces/mcp/http/start.ts';
import type { Era } from '../../src/faces/mcp/protocol/messages.ts';
import { askingTools } from './fixtures/asking-tools.ts';
import { says } from './fixtures/contents.ts';
import { plainTools } from './fixtures/plain-tools.ts';
import { registerPrompts } from './fixtures/prompts.ts';
import { registerResources } from './fixtures/resources.ts';
import { roundTools, state } from './fixtures/rounds.ts';
import type { FixtureTools } from './fixtures/tool.ts';

const settings = {
  transport: 'http',
  host: '127.0.0.1',
  port: 0,
  authToken: undefined,
  oauthIssuer: undefined,
  oauthAudience: [],
  oauthGroupsClaim: 'groups',
  publicUrl: undefined,
  trustedProxies: [],
  basePath: '',
  tlsCert: undefined,
  tlsKey: undefined,
  allowedHosts: [],
  allowedOrigins: [],
  sessionTimeout: 60_000,
} as const;

/** Our own transports, sessions and eras, with tools that a product has no use for but the suite asks for. */
export async function startFixtureServer(): Promise<Serving> {
  const log = createLogger({ level: 'error', format: 'text', write: (line) => void process.stderr.write(line) });
  const serving: Serving = await serveHttp(
    (era) => fixtureServer(era, () => serving.notifyChanged('asked to')),
    settings,
    log,
  );
  return serving;
}

function fixtureServer(era: Era, change: () => void): McpServer {
  const listChanged = true;
  const capabilities = {
    tools: { listChanged },
    prompts: { listChanged },
    resources: { listChanged, subscribe: era === 'legacy' },
    logging: {},
    completions: {},
  };
  const server = new McpServer(
    { name: 'fixtures', version: '1.0.0' },
    { capabilities, requestState: { verify: (sealed, context) => state.verify(sealed, context) } },
  );
  const changing = {
    run: () => {
      change();
      return says('changed');
    },
  };
  registerTools(server, {
    ...plainTools,
    ...roundTools,
    ...(era === 'legacy' && askingTools),
    test_trigger_tool_change: changing,
    test_trigger_prompt_change: changing,
  });
  registerPrompts(server);
  registerResources(server);
  server.server.setRequestHandler('completion/complete', () => ({ completion: { values: ['paris', 'park'] } }));
  if (era === 'legacy') {
    server.server.setRequestHandler('resources/subscribe', () => ({}));
    server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  }
  return server;
}

function registerTools(server: McpServer, tools: FixtureTools): void {
  for (const [name, { inputSchema, run }] of Object.entries(tools)) {
    const schema = fromJsonSchema<Record<string, unknown>>(inputSchema ?? { type: 'object', properties: {} });
    server.registerTool(name, { description: 'For the conformance suite', inputSchema: schema }, run);
  }
}
