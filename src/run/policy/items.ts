import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { flag, type Infer, named, object, text } from '../../core/schema/schema.ts';
import { oneLine, shellWord } from '../../core/text/text.ts';
import {
  type CapabilityName,
  canonical,
  capabilitiesFrom,
  capabilityNames,
  differenceBetween,
  noCapabilities,
  reduced,
  textsOf,
  union,
} from './capabilities.ts';
import { limitForms } from './limits.ts';
import { isPrivatePath } from './paths.ts';
import type { Capabilities, HostRule, LimitRule, PathRule } from './types.ts';

/** A single capability that a skill asks for. */
export const capabilitySchema = named(
  'Capability',
  object({
    // The key as it is written after `--only`: `network:api.example.com`, `filesystem:write:/home/me/notes`,
    // `env:TIMEZONE`.
    key: text('As it is named in `only`.'),
    words: text('Continues "it may".'),
  }),
);
export type CapabilityItem = Infer<typeof capabilitySchema>;

export const markedItemSchema = object({ ...capabilitySchema.fields, granted: flag() });
export type MarkedItem = Infer<typeof markedItemSchema>;

/** The items of capabilities, in order; those that another one includes as well, since one may want only them. */
export function itemsOf(capabilities: Capabilities, remarks?: Remarks): readonly CapabilityItem[] {
  return singles(capabilities).map(({ key, alone }) => ({ key, words: inWords(alone, remarks).join() }));
}

/** The items that are asked for, each with whether it is included in what is granted. */
export function markedItems(asked: Capabilities, granted: Capabilities, remarks?: Remarks): readonly MarkedItem[] {
  const missing = new Set(singles(differenceBetween(asked, granted)).map(({ key }) => key));
  return itemsOf(asked, remarks).map((item) => ({ ...item, granted: !missing.has(item.key) }));
}

/** The capabilities that the keys name: an item by its key, all of a sort by the name of the sort. */
export function withOnly(capabilities: Capabilities, keys: readonly string[], environment: Environment): Capabilities {
  const all = singles(capabilities);
  const named = keys.flatMap((text) => {
    const wanted = canonicalKey(text, environment);
    const found = all.filter(({ sort, key }) => sort === text || key === wanted);
    if (found.length > 0) return found;
    throw new SkillError('usage', `it does not ask for '${oneLine(text).slice(0, 200)}'`, {
      hint: `It asks for: ${all.map(({ key }) => oneLine(key)).join(', ')}`,
    });
  });
  return union(...named.map(({ alone }) => alone));
}

/** The options to type to have only these capabilities. */
export function onlyOptions(capabilities: Capabilities): string {
  return singles(capabilities)
    .map(({ key }) => `--only ${shellWord(key)}`)
    .join(' ');
}

interface Single {
  readonly sort: CapabilityName;
  readonly key: string;
  /** Capabilities that are nothing but this one. */
  readonly alone: Capabilities;
}

function singles(capabilities: Capabilities): readonly Single[] {
  const each = canonical(capabilities);
  const texts = textsOf(each);
  return capabilityNames.flatMap((name) =>
    each[name].map((item, place) => ({
      sort: name,
      key: `${name}:${texts[name][place]}`,
      alone: { ...noCapabilities, [name]: [item] },
    })),
  );
}

/**
 * The one form of a key. People write `~/notes` and capital letters, as they may in a manifest. What cannot be read is
 * left as it is.
 */
function canonicalKey(text: string, environment: Environment): string {
  const colon = text.indexOf(':');
  const sort = capabilityNames.find((name) => name === text.slice(0, colon));
  if (sort === undefined) return text;
  const read = capabilitiesFrom({ [sort]: [text.slice(colon + 1)] }, environment);
  return (read.ok && singles(read.value)[0]?.key) || text;
}

/** Remarks that follow some of the sentences. */
interface Remarks {
  readonly path?: (rule: PathRule) => string;
  readonly limit?: (rule: LimitRule) => string;
}

const none = (): string => '';

/** Sentences on what capabilities allow, one for each, to go after "may". */
export function inWords(capabilities: Capabilities, { path = none, limit = none }: Remarks = {}): string[] {
  const { network, filesystem, env, secrets, commands, images, limits } = reduced(capabilities);
  return [
    ...network.map(hostInWords),
    ...filesystem.map((rule) => pathInWords(rule) + path(rule)),
    ...env.map((name) => `see the environment variable ${name}`),
    ...secrets.map((name) => `be given the secret ${name}`),
    ...commands.map((name) => `run the program ${name}`),
    ...images.map((name) => `use the container image ${name}`),
    ...limits.map((rule) => limitInWords(rule) + limit(rule)),
  ];
}

function hostInWords({ host, below, port }: HostRule): string {
  return `talk to ${below ? `every host below ${host}` : host} on ${port === null ? 'any port' : `port ${port}`}`;
}

function limitInWords({ limit, amount }: LimitRule): string {
  const { allows, inWords: words } = limitForms[limit];
  return allows(words(amount));
}

function pathInWords(rule: PathRule): string {
  if (isPrivatePath(rule)) return `use its own ${rule.path}, which nobody else sees and which is deleted after the run`;
  return rule.access === 'read' ? `read files below ${rule.path}` : `read and change files below ${rule.path}`;
}
