import { expect } from 'vitest';
import { readBody } from '../../src/faces/http/answers.ts';
import type { Route } from '../../src/faces/http/exchange.ts';
import type { Served } from './server.ts';

/** Gives back what it gets, up to 1000 bytes. */
export const echo: Readonly<Record<string, Route>> = {
  '/mcp': async (exchange) => {
    const body = await readBody(exchange, 1000);
    if (body !== null) exchange.response.end(body);
  },
};

/** A request as bytes, which may be wrong in any way. */
export function post(body: string, headers: string): string {
  return `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n${body}`;
}

/** The body of an answer that was read as bytes. */
export function tailOf(answer: string): { readonly text: string } {
  return { text: answer.slice(answer.lastIndexOf('\r\n\r\n') + 4) };
}

/** Whatever was done to it, the server still answers. */
export async function lives({ ask }: Served): Promise<void> {
  expect((await ask('/mcp', { method: 'POST' }, 'still here')).text).toBe('still here');
}

/** A route whose answers are given when asked for. */
export function holding(open: (() => void)[]): Readonly<Record<string, Route>> {
  return { '/mcp': ({ response }) => void open.push(() => response.end('held')) };
}
