import { domainToASCII, domainToUnicode } from 'node:url';
import { type Parsed, parsed, problem, shown } from '../kernel/parsed.ts';
import { isAscii } from '../kernel/text.ts';
import { addressText, isDressed, readAddress } from './addresses.ts';
import type { HostRule } from './types.ts';

const remedy = 'Write a host like "api.example.com", "api.example.com:443" or "*.example.com".';

/** What people add to a host, and what it says that no host rule can say. */
const refusals: readonly (readonly [RegExp, string, string])[] = [
  [/^$/, 'is empty', remedy],
  [/^\*(?::\d*)?$/, 'means every host', 'Name the hosts one by one, or all below a domain like "*.example.com".'],
  [/:\/\//, 'is an address with a scheme', `Leave out the scheme and the path. ${remedy}`],
  [/[/\\?#]/, 'has a path', `Leave out everything after the host. ${remedy}`],
  [/@/, 'names a user', `Leave out the user. ${remedy}`],
  [/[\s\p{C}%]/u, 'has a character that is not allowed in a host name', remedy],
];

/** A host that a skill asks to speak to, in its one form. */
export function parseHost(text: string): Parsed<HostRule> {
  const refusal = refusals.find(([pattern]) => pattern.test(text));
  if (refusal !== undefined) return problem(`${shown(text)} ${refusal[1]}`, refusal[2]);
  const [name, portText] = split(text);
  const port = portText === undefined ? null : portOf(portText);
  if (port === undefined) return problem(`${shown(text)} has an invalid port`, 'Write a port from 1 to 65535.');
  const below = name.startsWith('*.');
  const host = below ? domainOf(name.slice(2), text) : hostOf(name, text);
  if (!host.ok) return host;
  if (below && !host.value.includes('.')) {
    const all = `${shown(text)} covers nearly every host`;
    return problem(all, 'Name a domain with at least two parts, like "*.example.com".');
  }
  return parsed({ host: host.value, below, port });
}

/** The host and its port. Only an address in brackets has colons; one without them is taken whole, to be told so. */
function split(text: string): readonly [host: string, port?: string | undefined] {
  if (readAddress(text)?.length === 16) return [text];
  const [, name = text, port] = /^(\[[^[\]]*\]|[^:]*)(?::(.*))?$/s.exec(text) ?? [];
  return [name, port];
}

function portOf(text: string): number | undefined {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

function hostOf(name: string, text: string): Parsed<string> {
  const bare = name.replace(/^\[(.*)\]$/s, '$1');
  const address = readAddress(bare);
  if (address === null)
    return name === bare ? domainOf(name, text) : problem(`${shown(text)} is not a valid address`, remedy);
  const canonical = addressText(address);
  if (address.length === 16 && isDressed(address)) {
    const inside = addressText(address.slice(12));
    return problem(`${shown(text)} hides an IPv4 address`, `Write it as "${inside}".`);
  }
  const written = address.length === 16 ? `[${canonical}]` : canonical;
  if (address.length === 16 ? name === bare : name !== bare) {
    return problem(`${shown(text)} is an address in the wrong form`, `Write it as "${written}".`);
  }
  return parsed(written);
}

const label = /^(?!-)[a-z\d_-]{1,63}(?<!-)$/;
/** Programs read such endings as the last number of an address: `0x7f.1`, `127.1`, `2130706433`. */
const numeric = /^(?:\d+|0x[\da-f]*)$/;

/** Whether a text is a domain name as it goes over the wire, in lower case. */
function isDomain(text: string): boolean {
  const labels = text.split('.');
  return text.length <= 253 && labels.every((one) => label.test(one)) && !numeric.test(labels.at(-1) ?? '');
}

function domainOf(name: string, text: string): Parsed<string> {
  if (name.endsWith('.')) return problem(`${shown(text)} ends with a dot`, 'Leave out the dot at the end.');
  if (name.includes('*')) return problem(`${shown(text)} has a * that is not at the start`, remedy);
  const lower = name.toLowerCase();
  const ascii = isAscii(name) ? lower : domainToASCII(name);
  if (!isDomain(ascii)) {
    const looks = numeric.test(ascii.split('.').at(-1) ?? '') || readAddress(ascii) !== null;
    if (!looks) return problem(`${shown(text)} is not a valid host`, remedy);
    return problem(`${shown(text)} is an address in an odd form`, 'Write it like "192.0.2.7" or "[2001:db8::7]".');
  }
  // Letters that are quietly turned into others look like a host that is not meant.
  if (!isAscii(name) && domainToUnicode(ascii) !== name.normalize('NFC').toLowerCase()) {
    return problem(`${shown(text)} has letters that are converted to others`, `Write "${ascii}" if that is meant.`);
  }
  return parsed(ascii);
}

export function hostText({ host, below, port }: HostRule): string {
  return `${below ? '*.' : ''}${host}${port === null ? '' : `:${port}`}`;
}

/** The host of a request in the form that rules have; null for what cannot be one. */
export function requestedHost(text: string): string | null {
  const bare = text.replace(/^\[(.*:.*)\]$/s, '$1');
  const address = readAddress(bare);
  if (address !== null) return address.length === 16 ? `[${addressText(address)}]` : addressText(address);
  const lower = text.toLowerCase();
  return isAscii(text) && isDomain(lower) ? lower : null;
}
