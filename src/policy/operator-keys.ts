import type { Environment } from '../kernel/environment.ts';
import { type Parsed, parsed, problem, shown } from '../kernel/parsed.ts';
import { parseCount } from '../kernel/quantities.ts';
import { parseHost } from './hosts.ts';
import { limitForms, limitNames } from './limits.ts';
import { parseCommand, parseEnvName, parseImage, parsePattern, parseSecretName } from './names.ts';
import { parsePath } from './paths.ts';
import { type RuntimeName, runtimeNames } from './types.ts';

/** What a key of the file may be, and what becomes of it. */
export interface PolicyKey {
  readonly field: string;
  /** The problem may lie with one item of a list. */
  readonly read: (value: unknown, environment: Environment) => Parsed<unknown> & { readonly item?: number };
}

function runtime(text: string): Parsed<RuntimeName> {
  const name = runtimeNames.find((one) => one === text);
  return name === undefined
    ? problem(`${shown(text)} is not a runtime`, `Use ${runtimeNames.join(', ')}.`)
    : parsed(name);
}

type Reader = (text: string, environment: Environment) => Parsed<unknown>;

function list(read: Reader): PolicyKey['read'] {
  return (value, environment) => {
    if (!Array.isArray(value)) return problem('must be a list of strings', 'Write it like ["one", "two"].');
    const items: unknown[] = [];
    for (const [item, text] of value.entries()) {
      if (typeof text !== 'string')
        return { ...problem(`${shown(text)} is not a string`, 'Write it in quotes.'), item };
      const one = read(text, environment);
      if (!one.ok) return { ...one, item };
      items.push(one.value);
    }
    return parsed(items);
  };
}

function patterns(parse: (text: string) => Parsed<string>): PolicyKey['read'] {
  return list((text) => parsePattern(text, parse));
}

function yesOrNo(value: unknown): Parsed<boolean> {
  return typeof value === 'boolean' ? parsed(value) : problem('must be true or false', 'Write it without quotes.');
}

const limitKeys = Object.fromEntries(
  limitNames.map((name): [string, PolicyKey] => [limitForms[name].key, { field: name, read: limitForms[name].parse }]),
);

/** All tables of the file, and the keys in each. */
export const policyTables: Readonly<Record<string, Readonly<Record<string, PolicyKey>>>> = {
  allow: {
    network: { field: 'network', read: list(parseHost) },
    filesystem: { field: 'filesystem', read: list(parsePath) },
    env: { field: 'env', read: patterns(parseEnvName) },
    secrets: { field: 'secrets', read: patterns(parseSecretName) },
    commands: { field: 'grantableCommands', read: patterns(parseCommand) },
    images: { field: 'images', read: patterns(parseImage) },
    runtimes: { field: 'runtimes', read: list(runtime) },
    watched_limits: { field: 'watchedLimits', read: yesOrNo },
  },
  commands: { free: { field: 'commands', read: list(parseCommand) } },
  limits: limitKeys,
  ceilings: limitKeys,
  concurrency: {
    total: { field: 'maxConcurrent', read: parseCount },
    per_skill: { field: 'maxConcurrentPerSkill', read: parseCount },
    queue: { field: 'maxQueue', read: parseCount },
  },
};
