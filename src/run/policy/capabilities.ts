import type { Environment } from '../../core/environment.ts';
import { type Parsed, parsed } from '../../core/schema/parsed.ts';
import { byText } from '../../core/text/text.ts';
import { hostText, isLoopback, isPrivateAddress, parseHost, readAddress, requestedHost } from './hosts.ts';
import { limitText, parseLimit } from './limits.ts';
import { coversPath, parseCommand, parseEnvName, parseImage, parsePath, parseSecretName, pathText } from './names.ts';
import type { Capabilities, HostRule } from './types.ts';

export type CapabilityName = keyof Capabilities;
type Item<K extends CapabilityName> = Capabilities[K][number];

/** One sort of capability: how it is read, written, and when one of them includes another. */
interface Sort<T> {
  readonly parse: (text: string, environment: Environment) => Parsed<T>;
  readonly text: (item: T) => string;
  readonly covers: (item: T, other: T) => boolean;
}

function named(parse: (text: string) => Parsed<string>): Sort<string> {
  return { parse, text: (name) => name, covers: (name, other) => name === other };
}

const capabilityKinds: { readonly [K in CapabilityName]: Sort<Item<K>> } = {
  network: { parse: parseHost, text: hostText, covers: coversHost },
  filesystem: { parse: parsePath, text: pathText, covers: coversPath },
  env: named(parseEnvName),
  secrets: named(parseSecretName),
  commands: named(parseCommand),
  images: named(parseImage),
  limits: {
    parse: parseLimit,
    text: limitText,
    covers: (rule, other) => rule.limit === other.limit && rule.amount >= other.amount,
  },
};

export const capabilityNames = Object.keys(capabilityKinds) as readonly CapabilityName[];

export const noCapabilities: Capabilities = {
  network: [],
  filesystem: [],
  env: [],
  secrets: [],
  commands: [],
  images: [],
  limits: [],
};

/** Makes each list anew. */
function mapped(make: <K extends CapabilityName>(name: K, sort: Sort<Item<K>>) => readonly Item<K>[]): Capabilities {
  const lists = capabilityNames.map((name) => [name, make(name, capabilityKinds[name] as Sort<Item<typeof name>>)]);
  return Object.fromEntries(lists) as unknown as Capabilities;
}

/** Puts capabilities in order, and each once: two that allow the same are then equal as they stand. */
export function canonical(capabilities: Capabilities): Capabilities {
  return mapped((name, sort) => {
    const byName = new Map(capabilities[name].map((item) => [sort.text(item), item]));
    return [...byName].sort(([a], [b]) => byText(a, b)).map(([, item]) => item);
  });
}

export function isEmpty(capabilities: Capabilities): boolean {
  return capabilityNames.every((name) => capabilities[name].length === 0);
}

export function union(...all: readonly Capabilities[]): Capabilities {
  return canonical(mapped((name) => all.flatMap((one) => one[name] as Item<typeof name>[])));
}

/** The capabilities that are asked for and not included in those granted. */
export function differenceBetween(asked: Capabilities, granted: Capabilities): Capabilities {
  return canonical(
    mapped((name, sort) => asked[name].filter((item) => !granted[name].some((one) => sort.covers(one, item)))),
  );
}

/** The capabilities without those that another one includes. */
export function reduced(capabilities: Capabilities): Capabilities {
  const each = canonical(capabilities);
  return mapped((name, sort) =>
    each[name].filter((item) => !each[name].some((one) => one !== item && sort.covers(one, item))),
  );
}

/**
 * Narrows the capabilities of a tool, which asks for less than its skill or for as much. Whatever goes beyond is left
 * out, and reported.
 */
export function narrow(skill: Capabilities, tool: Capabilities): { allowed: Capabilities; exceeding: Capabilities } {
  const allowed = mapped((name, sort) =>
    tool[name].filter((item) => skill[name].some((one) => sort.covers(one, item))),
  );
  return { allowed: canonical(allowed), exceeding: differenceBetween(tool, skill) };
}

export type CapabilityTexts = { readonly [K in CapabilityName]: readonly string[] };

/** The capabilities as they are written in a manifest, in order and each once. */
export function textsOf(capabilities: Capabilities): CapabilityTexts {
  const lists = mapped((name, sort) => canonical(capabilities)[name].map((item) => sort.text(item)) as never);
  return lists as unknown as CapabilityTexts;
}

/** Reads capabilities from their texts; the first text that means nothing is the problem. */
export function capabilitiesFrom(texts: Partial<CapabilityTexts>, environment: Environment): Parsed<Capabilities> {
  const found: Record<string, unknown[]> = {};
  for (const name of capabilityNames) {
    found[name] = [];
    for (const text of texts[name] ?? []) {
      const item = capabilityKinds[name].parse(text, environment);
      if (!item.ok) return item;
      found[name].push(item.value);
    }
  }
  return parsed(canonical(found as unknown as Capabilities));
}

/** Whether one of the rules is for this host and port. A host that is not written as hosts are matches none. */
export function permitsHost(rules: readonly HostRule[], host: string, port: number): boolean {
  const name = requestedHost(host);
  if (name === null || !Number.isInteger(port) || port < 1 || port > 65_535) return false;
  return rules.some((rule) => coversHost(rule, { host: name, below: false, port }));
}

/**
 * Whether a connection for this host may go to this address. Addresses that are not on the internet are reached by
 * those who were granted them as such: by the address itself, or by `localhost`. A name that merely leads to one does
 * not count, because the owner of the name decides where it leads.
 */
export function permitsAddress(rules: readonly HostRule[], host: string, ip: string): boolean {
  const [name, target] = [requestedHost(host), requestedHost(ip)];
  if (name === null || target === null || !isAddress(target)) return false;
  if (isAddress(name) && name !== target) return false;
  if (!isPrivateAddress(ip)) return true;
  const isNamed = rules.some((rule) => !rule.below && rule.host === name);
  return isNamed && (name === target || (name === 'localhost' && isLoopback(ip)));
}

/** Whether all that the other rule allows is allowed by this one. */
export function coversHost(rule: HostRule, other: HostRule): boolean {
  return (rule.port === null || rule.port === other.port) && coversName(rule, other);
}

function coversName(rule: HostRule, other: HostRule): boolean {
  if (rule.host === other.host) return rule.below === other.below;
  return rule.below && !isAddress(other.host) && other.host.endsWith(`.${rule.host}`);
}

/** The rule for what both rules allow; null where that is nothing. */
export function meetHosts(one: HostRule, other: HostRule): HostRule | null {
  const port = one.port ?? other.port;
  if (other.port !== null && other.port !== port) return null;
  if (coversName(one, other)) return { ...other, port };
  return coversName(other, one) ? { ...one, port } : null;
}

/** Whether a host, in the form that rules have, is an address. */
function isAddress(host: string): boolean {
  return host.startsWith('[') || readAddress(host) !== null;
}
