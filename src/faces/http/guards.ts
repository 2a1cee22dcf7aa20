import { isIPv4, isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { SkillError } from '../../core/errors.ts';

/** A name and, where one is written, a port, as in a `Host` header. */
interface Authority {
  /** The name in lower case, without a final dot; IPv6 in its one canonical spelling, without brackets. */
  readonly name: string;
  readonly port: number | undefined;
}

// No other parts are allowed: no user part, no path, no percent sign, no letter beyond ASCII.
const shape = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?)\.?)(?::([0-9]{1,5}))?$/i;

/** Parses an authority; null unless the text is exactly a name or an address, with or without a port. */
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

/** Whether a name means this machine wherever it is written; other spellings of the same numbers do not count. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}

export function isWildcard(name: string): boolean {
  return name === '0.0.0.0' || name === '::';
}

/** The name as it is written in a URL. */
export function bracketed(name: string): string {
  return name.includes(':') ? `[${name}]` : name;
}

function canonicalIPv6(address: string): string | undefined {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : undefined;
}

/**
 * Checks of `Host` and `Origin`. A browser lets any page send requests to this machine, and lets a page's own name turn
 * into this machine's address. It always says truthfully which name it asked for (`Host`) and which page asks
 * (`Origin`): both must be known.
 */
export interface Guards {
  /** The authority of an allowed `Host`, or null. */
  host(text: string | undefined): Authority | null;
  /** Whether a page of this origin may ask at all. */
  origin(origin: string, host: Authority): boolean;
  /** Whether a page of this origin may also read the answers: only origins that the person named. */
  reads(origin: string): boolean;
}

interface GuardOptions {
  /** The host as given: a name or an address. */
  readonly host: string;
  /** The address that the host stands for. */
  readonly address: string;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

export function createGuards(options: GuardOptions): Guards {
  const names = new Set([...ownNames(options), ...options.allowedHosts.filter((text) => !hasPort(text)).map(nameOf)]);
  const places = new Set(options.allowedHosts.filter(hasPort).map((text) => placeOf(allowedHost(text))));
  const origins = new Set(options.allowedOrigins.map(allowedOrigin));
  return {
    host(text) {
      const authority = text === undefined ? null : parseAuthority(text);
      if (authority === null) return null;
      // A port is the client's view, which a tunnel or a container changes; the name alone gives a third party's page
      // away.
      if (names.has(authority.name)) return authority;
      return places.has(placeOf(authority)) ? authority : null;
    },
    origin(origin, host) {
      const page = parseOrigin(origin);
      if (page !== null && (isLoopback(page.name) || (page.name === host.name && page.port === host.port))) return true;
      return origins.has(spelled(origin));
    },
    reads: (origin) => origins.has(spelled(origin)),
  };
}

function ownNames({ host, address }: GuardOptions): string[] {
  const names = ['localhost', '127.0.0.1', '::1', host, address];
  if (!isWildcard(address)) return names;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list?.map((entry) => entry.address) ?? []);
  return [...names, ...[...addresses, hostname()].flatMap((text) => parseHost(text) ?? [])];
}

/** Parses an origin; null unless it is a web page with a name: never `null`, a file or an extension. */
export function parseOrigin(origin: string): Authority | null {
  const match = /^https?:\/\/(.*)$/is.exec(origin);
  return match?.[1] === undefined ? null : parseAuthority(match[1]);
}

function hasPort(text: string): boolean {
  return allowedHost(text).port !== undefined;
}

function nameOf(text: string): string {
  return allowedHost(text).name;
}

function placeOf({ name, port }: Authority): string {
  return `${name} ${port}`;
}

function allowedHost(text: string): Authority {
  const bare = parseHost(text);
  const authority = bare === null ? parseAuthority(text) : { name: bare, port: undefined };
  if (authority !== null) return authority;
  throw new SkillError('usage', `'${text}' is not a host name to allow`, {
    hint: 'Give a name or an address, with or without a port: skills.example.com',
  });
}

function allowedOrigin(text: string): string {
  const origin = spelled(text.replace(/\/$/, ''));
  const [, rest = ''] = /^[a-z][a-z0-9+.-]*:\/\/(.*)$/s.exec(origin) ?? [];
  if (parseAuthority(rest) !== null) return origin;
  throw new SkillError('usage', `'${text}' is not an origin to allow`, {
    hint: 'Give a scheme and a name, as in https://app.example.com',
  });
}

/** The origin in lower case, without the port that the scheme implies. */
function spelled(origin: string): string {
  return origin.toLowerCase().replace(/^(http:.*):80$|^(https:.*):443$/s, '$1$2');
}

/** The URL, which must be encrypted unless it leads to this machine. */
export function secureUrl(address: string, what: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSecure =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')));
  if (url !== undefined && isSecure && url.username === '' && url.password === '' && url.hash === '') return url;
  throw new SkillError('usage', `${what} must be an https:// URL, not '${address}'`, {
    hint: 'Only addresses of this machine may be http://.',
  });
}
