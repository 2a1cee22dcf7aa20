import type { Environment } from '../kernel/environment.ts';
import { type Parsed, parsed } from '../kernel/parsed.ts';
import { byText } from '../kernel/text.ts';
import { hostText, parseHost } from './hosts.ts';
import { limitText, parseLimit } from './limits.ts';
import { coversHost } from './matching.ts';
import { parseCommand, parseEnvName, parseImage, parseSecretName } from './names.ts';
import { coversPath, parsePath, pathText } from './paths.ts';
import type { Capabilities } from './types.ts';

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

export const capabilityKinds: { readonly [K in CapabilityName]: Sort<Item<K>> } = {
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

/** Each list made anew. */
function mapped(make: <K extends CapabilityName>(name: K, sort: Sort<Item<K>>) => readonly Item<K>[]): Capabilities {
  const lists = capabilityNames.map((name) => [name, make(name, capabilityKinds[name] as Sort<Item<typeof name>>)]);
  return Object.fromEntries(lists) as unknown as Capabilities;
}

/** In order, and each once: two that allow the same are then equal as they stand. */
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

/** What is asked for and not included in what is granted. */
export function differenceBetween(asked: Capabilities, granted: Capabilities): Capabilities {
  return canonical(
    mapped((name, sort) => asked[name].filter((item) => !granted[name].some((one) => sort.covers(one, item)))),
  );
}

/** Without those that another one includes. */
export function reduced(capabilities: Capabilities): Capabilities {
  const each = canonical(capabilities);
  return mapped((name, sort) =>
    each[name].filter((item) => !each[name].some((one) => one !== item && sort.covers(one, item))),
  );
}

/** A tool asks for less than its skill or for as much. What goes beyond is left out, and reported. */
export function narrow(skill: Capabilities, tool: Capabilities): { allowed: Capabilities; exceeding: Capabilities } {
  const allowed = mapped((name, sort) =>
    tool[name].filter((item) => skill[name].some((one) => sort.covers(one, item))),
  );
  return { allowed: canonical(allowed), exceeding: differenceBetween(tool, skill) };
}

export type CapabilityTexts = { readonly [K in CapabilityName]: readonly string[] };

/** As they are written in a manifest, in order and each once. */
export function textsOf(capabilities: Capabilities): CapabilityTexts {
  const lists = mapped((name, sort) => canonical(capabilities)[name].map((item) => sort.text(item)) as never);
  return lists as unknown as CapabilityTexts;
}

/** The way back; the first text that means nothing is the problem. */
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
