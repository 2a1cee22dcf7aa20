import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Message } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** What the body says, whether it came as JSON or as events. */
  readonly messages: readonly Message[];
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const accepted = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** One request, with whatever headers are asked for. A body that is text goes as it is. */
export async function ask(url: string, { method = 'POST', headers = {}, body }: Ask = {}): Promise<Answer> {
  const response = await send(url, { method, headers, body });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: response.statusCode ?? 0, headers: response.headers, text, messages: messagesIn(text) };
}

function send(url: string, { method, headers, body }: Ask): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers: { ...accepted, ...headers }, agent: false }, resolve);
    request.on('error', reject);
    onTestFinished(() => void request.destroy());
    request.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
  });
}

function messagesIn(text: string): Message[] {
  if (text.trimStart().startsWith('{') || text.trimStart().startsWith('[')) {
    const value = JSON.parse(text) as Message | Message[];
    return Array.isArray(value) ? value : [value];
  }
  return [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, data]) => JSON.parse(data ?? '') as Message);
}

/** A stream of events that stays open. */
export interface Events {
  readonly response: IncomingMessage;
  readonly text: () => string;
  readonly messages: () => Message[];
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>;
  close(): void;
}

export async function listenTo(url: string, options: Ask = {}): Promise<Events> {
  const response = await send(url, { method: 'GET', ...options });
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  response.on('error', () => {}); // cut off: that is what `ended` tells
  const ended = new Promise<void>((resolve) => response.once('close', resolve));
  return { response, text: () => text, messages: () => messagesIn(text), ended, close: () => response.destroy() };
}

export const clientInfo = { name: 'test', version: '1.0.0' };

/** A client of the handshake era. */
export interface Session {
  readonly id: string;
  readonly result: Record<string, unknown>;
  readonly headers: Readonly<Record<string, string>>;
  /** The answer to a request, with its status. */
  ask(method: string, params?: object): Promise<Answer>;
  request<T = Record<string, unknown>>(method: string, params?: object): Promise<T>;
}

let nextId = 1;

/** Opens a session over streamable HTTP. */
export async function openSession(
  url: string,
  protocolVersion = '2025-11-25',
  headers: Readonly<Record<string, string>> = {},
): Promise<Session> {
  const params = { protocolVersion, capabilities: {}, clientInfo };
  const opened = await ask(url, { headers, body: { jsonrpc: '2.0', id: 0, method: 'initialize', params } });
  const id = opened.headers['mcp-session-id'];
  if (typeof id !== 'string') throw new Error(`no session: ${opened.status} ${opened.text}`);
  const result = opened.messages[0]?.result ?? {};
  const own = { ...headers, 'mcp-session-id': id, 'mcp-protocol-version': String(result['protocolVersion']) };
  const session = {
    id,
    result,
    headers: own,
    ask: (method: string, more?: object) =>
      ask(url, { headers: own, body: { jsonrpc: '2.0', id: nextId++, method, ...(more && { params: more }) } }),
    async request<T>(method: string, more?: object): Promise<T> {
      const { messages, text } = await session.ask(method, more);
      const [answer] = messages;
      if (answer?.result === undefined) throw new Error(`${method}: ${text}`);
      return answer.result as T;
    },
  };
  await ask(url, { headers: own, body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  return session;
}

/** A request of the newer era, with the headers that it needs. */
export function askModern(url: string, method: string, params: object = {}, headers: object = {}): Promise<Answer> {
  const name = 'name' in params ? params.name : 'uri' in params ? params.uri : undefined;
  return ask(url, {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
    body: { jsonrpc: '2.0', id: nextId++, method, params: { ...params, ...modernEnvelope } },
  });
}

const modernEnvelope = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': clientInfo,
  },
};

/** A world with one skill. */
export function pdfWorld(): World {
  const world = createWorld();
  world.skill('project/skills/pdf', { body: '\nHow to read PDF.\n' });
  return world;
}
