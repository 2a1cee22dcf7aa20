import type { Exchange } from './exchange.ts';

const preflight = {
  'Access-Control-Allow-Methods': 'GET, POST, DELETE, OPTIONS',
  'Access-Control-Allow-Headers':
    'Content-Type, Accept, Authorization, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID',
  'Access-Control-Max-Age': '600',
  'Content-Length': '0',
} as const;

/** Lets the page read the answer, whatever it will be. */
export function letRead({ response }: Exchange, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id, X-Request-Id, WWW-Authenticate');
  response.setHeader('Vary', 'Origin');
}

/** What a browser asks before a request that a plain form could not send. It carries no token. */
export function isPreflight({ request }: Exchange): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
}

export function answerPreflight({ request, response }: Exchange): void {
  const fromOutside = request.headers['access-control-request-private-network'] === 'true';
  response.writeHead(204, {
    ...preflight,
    ...(fromOutside ? { 'Access-Control-Allow-Private-Network': 'true' } : {}),
  });
  response.end();
}
