import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { createServer } from 'node:http';
import {
  createMcpHandler,
  fromJsonSchema,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport as StreamTransport,
} from '@modelcontextprotocol/server';

/**
 * The least that a server of this protocol can be: the library, one tool that says what it is told, and Node's own HTTP
 * server. No checks of hosts or tokens, no limits, no log, nothing ever given up. Clients of the handshake era have
 * sessions, the others none, as they have with us.
 */
const inputSchema = fromJsonSchema({
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
  additionalProperties: false,
});

function echoServer() {
  const server = new McpServer({ name: 'echo', version: '1' });
  server.registerTool('echo', { description: 'Says what it is told.', inputSchema }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  return server;
}

const modern = createMcpHandler(echoServer, { legacy: 'reject' });
/** @type {Map<string, StreamTransport>} */
const sessions = new Map();

/** @param {Request} request @param {unknown} parsedBody */
async function answer(request, parsedBody) {
  const isPost = request.method === 'POST';
  if (isPost && !(await isLegacyRequest(request, parsedBody))) return modern.fetch(request, { parsedBody });
  const transport = sessions.get(request.headers.get('mcp-session-id') ?? '') ?? (await openSession());
  return transport.handleRequest(request, isPost ? { parsedBody } : {});
}

async function openSession() {
  const transport = new StreamTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await echoServer().connect(transport);
  return transport;
}

const http = createServer((request, response) => void serve(request, response));

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function serve(request, response) {
  const parts = [];
  for await (const part of request) parts.push(part);
  const { method = 'GET', url, headers } = request;
  const body = method === 'POST' ? JSON.parse(Buffer.concat(parts).toString('utf8')) : undefined;
  const told = await answer(
    new Request(`http://localhost${url}`, { method, headers: /** @type {Record<string, string>} */ (headers) }),
    body,
  );
  response.writeHead(told.status, Object.fromEntries(told.headers));
  if (method === 'GET') response.flushHeaders();
  if (told.headers.get('content-type') === 'text/event-stream') {
    for await (const part of told.body ?? []) response.write(part);
    response.end();
  } else {
    response.end(Buffer.from(await told.arrayBuffer()));
  }
}

http.listen(0, '127.0.0.1', () => {
  const address = http.address();
  writeSync(2, `listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp\n`);
});
