import { isIPv4, isIPv6 } from 'node:net';

/** A name and, where one is written, a port: what stands in a `Host` header. */
export interface Authority {
  /** Lower case, without a final dot; IPv6 in its one canonical spelling, without brackets. */
  readonly name: string;
  readonly port: number | undefined;
}

// Nothing else may stand there: no user part, no path, no percent sign, no letter beyond ASCII.
const shape = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?)\.?)(?::([0-9]{1,5}))?$/i;

/** Null unless the text is exactly a name or an address, with or without a port. */
export function parseAuthority(text: string): Authority | null {
  const match = shape.exec(text);
  if (match === null) return null;
  const [, address, word, digits] = match;
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && port > 65_535) return null;
  const name = address === undefined ? word?.toLowerCase() : canonicalIPv6(address);
  return name === undefined ? null : { name, port };
}

/** The bare host of a bind option (`localhost`, `127.0.0.1`, `::1`, `[::1]`), in the spelling of `Authority.name`. */
export function parseHost(text: string): string | null {
  if (isIPv6(text)) return canonicalIPv6(text.replace(/%.*$/s, '')) ?? null;
  const authority = parseAuthority(text);
  return authority === null || authority.port !== undefined ? null : authority.name;
}

/** Names that mean this machine wherever they are written; other spellings of the same numbers are not among them. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}

export function isWildcard(name: string): boolean {
  return name === '0.0.0.0' || name === '::';
}

/** As it stands in a URL. */
export function bracketed(name: string): string {
  return name.includes(':') ? `[${name}]` : name;
}

function canonicalIPv6(address: string): string | undefined {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : undefined;
}
