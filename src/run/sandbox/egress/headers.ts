import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Headers that concern this connection only and are not forwarded. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Returns the headers that are forwarded to the other side. */
export function passedOn(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => value !== undefined && !hopByHop.has(name) && !named.includes(name),
    ),
  );
}

/** Parses `host:port` as in CONNECT; null for anything else. */
export function authorityOf(text: string): { readonly host: string; readonly port: number } | null {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/@[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const number = Number(port);
  return host === undefined || number < 1 || number > 65_535 ? null : { host, port: number };
}

/** Parses an absolute URL as in requests to a proxy; null for anything else. */
export function targetOf(text: string): { readonly host: string; readonly port: number; readonly url: URL } | null {
  if (!/^http:\/\//i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return null;
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? 80 : Number(url.port), url };
}
