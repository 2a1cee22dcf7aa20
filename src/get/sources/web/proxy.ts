import type { IncomingMessage } from 'node:http';
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { connect } from 'node:tls';
import { type Environment, variable } from '../../../core/environment.ts';
import { isLoopback } from '../addresses.ts';

/** The proxy that the environment names for an address over HTTPS; null where it is to be asked directly. */
export function proxyFor(url: URL, environment: Environment): URL | null {
  if (url.protocol !== 'https:' || isLoopback(url)) return null;
  const named = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'].map((name) => variable(environment, name));
  const proxy = named.find((value) => value !== undefined);
  if (proxy === undefined || isExcepted(url, environment)) return null;
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? new URL(text) : null;
}

/** Whether NO_PROXY names the host, a domain above it, or everything. */
function isExcepted({ hostname, port }: URL, environment: Environment): boolean {
  const list = variable(environment, 'NO_PROXY') ?? variable(environment, 'no_proxy') ?? '';
  return list.split(/[\s,]+/).some((entry) => {
    const [host = '', only] = entry
      .toLowerCase()
      .replace(/^\*?\./, '')
      .split(':');
    if (host === '' || (only !== undefined && only !== (port || '443'))) return entry === '*';
    return host === '*' || hostname === host || hostname.endsWith(`.${host}`);
  });
}

/** Sends a request without a body through a proxy, which sees the name of the host and nothing else. */
export async function fetchThrough(
  proxy: URL,
  url: string,
  init: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<Response> {
  const { hostname, port } = new URL(url);
  const socket = await tunnel(proxy, `${hostname}:${port || 443}`, init.signal);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const servername = hostname.replace(/^\[|\]$/g, '');
    // An agent would make its own connections.
    const options = { ...init, createConnection: () => connect({ socket, servername }) };
    request(url, options).on('response', resolve).on('error', reject).end();
  }).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
  const { statusCode = 502 } = answer;
  const headers = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const isEmpty = init.method === 'HEAD' || statusCode === 204 || statusCode === 304;
  if (isEmpty) answer.resume();
  const body = isEmpty ? null : (Readable.toWeb(answer) as unknown as ReadableStream<Uint8Array>);
  return new Response(body, { status: statusCode, headers });
}

/** A way through the proxy to a host. */
function tunnel(proxy: URL, target: string, signal: AbortSignal): Promise<Socket> {
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const secret = pair === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
  const send = proxy.protocol === 'https:' ? request : plainRequest;
  return new Promise((resolve, reject) => {
    send({
      ...{ host: proxy.hostname.replace(/^\[|\]$/g, ''), port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80) },
      ...{ method: 'CONNECT', path: target, headers: { host: target, ...secret }, agent: false, signal },
    })
      .on('connect', ({ statusCode }, socket) => {
        if (statusCode === 200) return resolve(socket);
        socket.destroy();
        reject(new Error(`the proxy ${proxy.host} answers with ${statusCode}`));
      })
      .on('error', (error: Error) => reject(new Error(`the proxy ${proxy.host}: ${error.message}`)))
      .end();
  });
}
