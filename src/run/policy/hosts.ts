import { domainToASCII, domainToUnicode } from 'node:url';
import { type Parsed, parsed, problem, shown } from '../../core/schema/parsed.ts';
import { isAscii } from '../../core/text/text.ts';
import type { HostRule } from './types.ts';

const remedy = 'Write a host like "api.example.com", "api.example.com:443" or "*.example.com".';

/** Forms that people write a host in and no host rule can have, with what is wrong and a remedy. */
const refusals: readonly (readonly [RegExp, string, string])[] = [
  [/^$/, 'is empty', remedy],
  [/^\*(?::\d*)?$/, 'means every host', 'Name the hosts one by one, or all below a domain like "*.example.com".'],
  [/:\/\//, 'is an address with a scheme', `Leave out the scheme and the path. ${remedy}`],
  [/[/\\?#]/, 'has a path', `Leave out everything after the host. ${remedy}`],
  [/@/, 'names a user', `Leave out the user. ${remedy}`],
  [/[\s\p{C}%]/u, 'has a character that is not allowed in a host name', remedy],
];

/** Parses a host that a skill asks to connect to, into its one form. */
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

/** The host and its port. Only an address in brackets has colons; one without is taken whole, to be reported so. */
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
/** Endings that programs read as the last number of an address: `0x7f.1`, `127.1`, `2130706433`. */
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

/** An IP address as its bytes: 4 of them, or 16. */
type Address = readonly number[];

const decimal = /^(?:0|[1-9]\d{0,2})$/;

/** Reads four plain decimal numbers, and nothing else that programs take for one: no `0x7f.1`, no `017`, no `1.2`. */
function readV4(text: string): Address | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => decimal.test(part))) return null;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : null;
}

/** Reads groups of up to four hexadecimal digits, the last two of which may be written as an IPv4 address. */
function readGroups(text: string): number[] | null {
  if (text === '') return [];
  const parts = text.split(':');
  const tail = parts.at(-1)?.includes('.') ? readV4(parts.pop() ?? '') : [];
  if (tail === null || !parts.every((part) => /^[\da-f]{1,4}$/i.test(part))) return null;
  const bytes = parts.flatMap((part) => {
    const group = Number.parseInt(part, 16);
    return [group >> 8, group & 255];
  });
  return [...bytes, ...tail];
}

function readV6(text: string): Address | null {
  const sides = text.split('::');
  const [head, tail] = sides.map(readGroups);
  if (sides.length > 2 || head === null || head === undefined || tail === null) return null;
  if (tail === undefined) return head.length === 16 ? head : null;
  // An IPv4 address stands at the end or nowhere.
  if (sides[0]?.includes('.') || head.length + tail.length > 14) return null;
  return [...head, ...Array<number>(16 - head.length - tail.length).fill(0), ...tail];
}

/** The address that a text is: IPv4 in its one dotted form, or IPv6 in any. Null for everything else. */
export function readAddress(text: string): Address | null {
  return text.includes(':') ? readV6(text) : readV4(text);
}

/** The one spelling of an address; IPv6 as RFC 5952 has it. */
export function addressText(address: Address): string {
  if (address.length === 4) return address.join('.');
  const groups = Array.from({ length: 8 }, (_, index) => {
    return (((address[index * 2] ?? 0) << 8) | (address[index * 2 + 1] ?? 0)).toString(16);
  });
  const zeros = longestZeros(groups);
  if (zeros.length < 2) return groups.join(':');
  return `${groups.slice(0, zeros.start).join(':')}::${groups.slice(zeros.start + zeros.length).join(':')}`;
}

function longestZeros(groups: readonly string[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === '0') length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}

/** Addresses that share their first bits. */
interface Net {
  readonly address: Address;
  readonly bits: number;
}

function net(text: string): Net {
  const [address = '', bits = ''] = text.split('/');
  return { address: readAddress(address) ?? [], bits: Number(bits) };
}

function isIn({ address, bits }: Net, other: Address): boolean {
  if (address.length !== other.length) return false;
  return other.every((byte, index) => {
    const mask = 0xff00 >> Math.min(8, Math.max(0, bits - index * 8));
    return ((byte ^ (address[index] ?? 0)) & mask & 0xff) === 0;
  });
}

/** Networks that are not somewhere on the internet: this machine, its networks, or nowhere. */
const privateV4 = [
  '0.0.0.0/8', // this machine
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local, and the metadata services of clouds, which hand out keys
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays from IPv6
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
].map(net);

/** The prefix of all addresses of the internet; others are loopback, link-local, local, multicast or unused. */
const globalV6 = net('2000::/3');
const privateV6 = [
  '2001::/23', // protocols, tunnels among them
  '2001:db8::/32', // documentation
  '2002::/16', // tunnels to any IPv4 address
  '3fff::/20', // documentation
].map(net);

/** IPv4 addresses embedded in IPv6: the inner one counts. */
const dressed = ['::ffff:0:0/96', '64:ff9b::/96'].map(net);

/** Whether an address is not on the internet. Text that is not an address is not on the internet either. */
export function isPrivateAddress(ip: string): boolean {
  const address = readAddress(ip.replace(/%.*$/s, ''));
  if (address === null) return true;
  if (address.length === 4) return privateV4.some((one) => isIn(one, address));
  if (dressed.some((one) => isIn(one, address))) return isPrivateAddress(addressText(address.slice(12)));
  return !isIn(globalV6, address) || privateV6.some((one) => isIn(one, address));
}

const loopback = ['127.0.0.0/8', '::1/128'].map(net);

export function isLoopback(ip: string): boolean {
  const address = readAddress(ip);
  return address !== null && loopback.some((one) => isIn(one, address));
}

/** Whether an address embeds an IPv4 address, and could be written as one. */
function isDressed(address: Address): boolean {
  return dressed.some((one) => isIn(one, address));
}
