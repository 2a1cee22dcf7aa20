import { realPathOrSelf } from '../../core/disk/files.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { type Problem, problem } from '../../core/schema/parsed.ts';
import { flag, type Infer, named, object, text } from '../../core/schema/schema.ts';
import { byText, oneLine, shellWord } from '../../core/text/text.ts';
import {
  type CapabilityName,
  canonical,
  capabilitiesFrom,
  capabilityNames,
  coversHost,
  differenceBetween,
  noCapabilities,
  reduced,
  textsOf,
  union,
} from './capabilities.ts';
import { type LimitPolicy, limitForms, limitRemark } from './limits.ts';
import { coversName, coversPath, isPrivatePath } from './names.ts';
import { checkPath } from './refused-paths.ts';
import type { Capabilities, HostRule, LimitRule, Mount, OperatorPolicy, PathRule, RuntimeName } from './types.ts';

/** The part of a policy that says what every run has anyway. */
export type FreePolicy = Pick<OperatorPolicy, 'commands'> & LimitPolicy;

/** The capabilities that an operator has to grant: all but what every run has anyway. */
export function needsGrant(policy: FreePolicy, asked: Capabilities): Capabilities {
  return {
    ...asked,
    filesystem: asked.filesystem.filter((rule) => !isPrivatePath(rule)),
    commands: asked.commands.filter((name) => !policy.commands.includes(name)),
    limits: asked.limits.filter(({ limit, amount }) => amount > policy.defaults[limit]),
  };
}

/** The capabilities asked for beyond the default, in words, each path with a remark on it for this machine. */
export function askedInWords(policy: FreePolicy, asked: Capabilities, environment: Environment): string[] {
  const scratch = asked.filesystem.filter((rule) => isPrivatePath(rule) && rule.path !== '/tmp');
  const needed = needsGrant(policy, asked);
  const onPath = (rule: PathRule): string => {
    const checked = checkPath(rule, environment);
    if (!checked.ok) return ` (refused: ${checked.message})`;
    return checked.missing ? ' (which does not exist)' : '';
  };
  return inWords(
    { ...needed, filesystem: [...needed.filesystem, ...scratch] },
    { path: onPath, limit: limitRemark(policy) },
  );
}

/** The outcome of a request on this machine, as it is now. */
export interface CheckedRequest {
  /** Folders of the host that a run would see, outer ones first. */
  readonly mounts: readonly Mount[];
  /** Paths that do not exist: a run goes on without them. */
  readonly missing: readonly string[];
  /** The place where each path leads, or would lead once it is there. */
  readonly places: Readonly<Record<string, string>>;
  /** Reasons why a grant cannot be given at all: refused to everyone, or forbidden by the operator's policy. */
  readonly problems: readonly Problem[];
}

export function checkRequest(policy: OperatorPolicy, asked: Capabilities, environment: Environment): CheckedRequest {
  const needed = needsGrant(policy, asked);
  const mounts = new Map<string, Mount>();
  const missing = new Set<string>();
  const places: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const rule of needed.filesystem) {
    const checked = checkPath(rule, environment);
    if (!checked.ok) {
      problems.push(checked);
      continue;
    }
    const place = checked.mount?.source ?? checked.placeToBe ?? null;
    if (place !== null) places[rule.path] = place;
    const refusal = forbiddenMount(policy, rule, place ?? rule.path);
    if (refusal !== null) problems.push(refusal);
    else if (checked.missing) missing.add(rule.path);
    else if (checked.mount !== null && mounts.get(rule.path)?.access !== 'write') mounts.set(rule.path, checked.mount);
  }
  const inOrder = [...mounts.values()].sort((a, b) => byText(a.target, b.target));
  return { mounts: inOrder, missing: [...missing], places, problems: [...problems, ...forbidden(policy, needed)] };
}

function forbidden(policy: OperatorPolicy, needed: Capabilities): Problem[] {
  return forbiddenBy(policy, {
    ...noCapabilities,
    network: notIn(policy.network, needed.network, coversHost),
    env: notIn(policy.env, needed.env, coversName),
    secrets: notIn(policy.secrets, needed.secrets, coversName),
    commands: notIn(policy.grantableCommands, needed.commands, coversName),
    images: notIn(policy.images, needed.images, coversName),
  });
}

function notIn<T>(allowed: readonly T[] | null, asked: readonly T[], covers: (rule: T, item: T) => boolean): T[] {
  return allowed === null ? [] : asked.filter((item) => !allowed.some((rule) => covers(rule, item)));
}

/** The problem of a mount that the policy forbids, judging by where links lead on both sides. */
function forbiddenMount(policy: OperatorPolicy, rule: PathRule, path: string): Problem | null {
  const allowed = policy.filesystem?.map((one) => ({ ...one, path: realPathOrSelf(one.path) }));
  if (allowed === undefined || allowed.some((one) => coversPath(one, { access: rule.access, path }))) return null;
  return forbiddenBy(policy, { ...noCapabilities, filesystem: [rule] })[0] ?? null;
}

function forbiddenBy(policy: OperatorPolicy, capabilities: Capabilities): Problem[] {
  const remedy = `Change ${policy.file}, or ask whoever maintains it.`;
  return inWords(capabilities).map((words) =>
    problem(`the policy in ${policy.file} does not let any skill ${words}`, remedy),
  );
}

/** The objection of the policy to a runtime; null for none. */
export function checkRuntime(policy: OperatorPolicy, runtime: RuntimeName): Problem | null {
  if (policy.runtimes.includes(runtime)) return null;
  const remedy = `Add "${runtime}" to runtimes under [allow] in ${policy.file}, or ask whoever maintains it.`;
  return problem(`the policy in ${policy.file} does not let any skill use the runtime ${runtime}`, remedy);
}

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
