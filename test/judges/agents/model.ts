import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type Api, apis, type OfferedTool, type Reply } from './apis.ts';

/** A request of an agent to the model, which waits for its reply. */
export interface ModelRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly api: Api;
  readonly tools: readonly OfferedTool[];
  reply(reply: Reply): void;
}

/** A model that a test plays, over the APIs that agents use. */
export interface Model {
  readonly url: string;
  close(): void;
}

/** Requests that offer tools go to `onRequest`; the others, for titles and token counts, are answered here. */
export async function startModel(onRequest: (request: ModelRequest) => void): Promise<Model> {
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://model');
    const api = apis.find(({ path }) => path.test(pathname));
    if (api === undefined) return sendJson(response, { data: [], models: [], input_tokens: 1, totalTokens: 1 });
    const body = (await json(request)) as ModelRequest['body'];
    const reply = (content: Reply): void => send(response, api, body, content);
    const tools = api.tools(body);
    if (tools.length === 0) return reply({ text: 'ok' });
    onRequest({ body, api, tools, reply });
  }
  const server = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function send(response: ServerResponse, api: Api, body: ModelRequest['body'], content: Reply): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of api.events(body, content)) {
    const type = typeof event === 'string' ? undefined : event['type'];
    if (typeof type === 'string') response.write(`event: ${type}\n`);
    response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
}
