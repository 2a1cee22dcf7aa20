import { join } from 'node:path';
import { statOf } from '../../core/disk/files.ts';
import { configFolder } from '../../core/disk/own-folders.ts';
import { expandPath } from '../../core/disk/paths.ts';
import { type Environment, variable } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { readToml } from '../../core/formats/documents.ts';
import { lineOfKey } from '../../core/formats/toml-lines.ts';
import { type Parsed, parsed, problem, shown } from '../../core/schema/parsed.ts';
import {
  anything,
  choice,
  flag,
  type Infer,
  list,
  object,
  optional,
  parsedBy,
  text,
} from '../../core/schema/schema.ts';
import { type Issue, pathText, read } from '../../core/schema/schema-reader.ts';
import { parseCount } from '../../core/text/amounts.ts';
import { meetHosts } from './capabilities.ts';
import { parseHost } from './hosts.ts';
import { atMost, defaultCeilings, defaultLimits, limitForms, limitNames } from './limits.ts';
import {
  freeCommands,
  meetNames,
  meetPaths,
  parseCommand,
  parseEnvName,
  parseImage,
  parsePath,
  parsePattern,
  parseSecretName,
} from './names.ts';
import { type Limits, type OperatorPolicy, type RuntimeName, runtimeNames } from './types.ts';

/** The policy where no operator has said anything. */
function defaultPolicy(): OperatorPolicy {
  const total = Math.max(4, 2 * process.getBuiltinModule('node:os').availableParallelism());
  return {
    file: null,
    network: null,
    filesystem: null,
    env: null,
    secrets: null,
    commands: freeCommands,
    grantableCommands: null,
    images: null,
    runtimes: runtimeNames,
    watchedLimits: true,
    defaults: defaultLimits,
    ceilings: defaultCeilings,
    scan: null,
    maxConcurrent: total,
    maxConcurrentPerSkill: Math.max(2, total >> 1),
    maxQueue: 4096,
  };
}

/**
 * Reads the operator's policy: that of the machine, and then the user's own, which can only take away from it. Where
 * there is none for the machine, the user is the operator. `REPERTOIRE_POLICY` names another file in place of the
 * user's.
 */
export async function readPolicy(environment: Environment): Promise<OperatorPolicy> {
  const named = variable(environment, 'REPERTOIRE_POLICY');
  const own = named === undefined ? join(configFolder(environment), 'policy.toml') : expandPath(named, environment);
  const machine = await readPolicyFile(join(environment.systemDir, 'repertoire', 'policy.toml'), environment);
  const user = await readPolicyFile(own, environment);
  if (user === null && named !== undefined) {
    const hint = 'Create the file, or unset REPERTOIRE_POLICY.';
    throw new SkillError('config', `REPERTOIRE_POLICY names ${own}, which does not exist`, { hint });
  }
  const files = [machine, user].filter((file) => file !== null);
  const [first, ...others] = files;
  return first === undefined ? defaultPolicy() : others.reduce(narrowed, settled(first));
}

/** The policy of the first file, over the defaults. */
function settled(file: PolicyFile): OperatorPolicy {
  const policy = defaultPolicy();
  const ceilings = { ...policy.ceilings, ...file.ceilings };
  const maxConcurrent = file.maxConcurrent ?? policy.maxConcurrent;
  return {
    ...policy,
    ...file,
    defaults: atMost({ ...policy.defaults, ...file.defaults }, ceilings),
    ceilings,
    maxConcurrent,
    maxConcurrentPerSkill: file.maxConcurrentPerSkill ?? Math.max(1, Math.min(2, maxConcurrent), maxConcurrent >> 1),
  };
}

/** A policy with another file laid over it, which can only take away. */
function narrowed(policy: OperatorPolicy, file: PolicyFile): OperatorPolicy {
  const ceilings = atMost({ ...policy.ceilings, ...file.ceilings }, policy.ceilings);
  const fewer = (key: 'maxConcurrent' | 'maxConcurrentPerSkill' | 'maxQueue') =>
    Math.min(policy[key], file[key] ?? policy[key]);
  return {
    file: `${policy.file} and ${file.file}`,
    network: meet(policy.network, file.network, meetHosts),
    filesystem: meet(policy.filesystem, file.filesystem, meetPaths),
    env: meet(policy.env, file.env, meetNames),
    secrets: meet(policy.secrets, file.secrets, meetNames),
    commands: policy.commands.filter((name) => file.commands?.includes(name) ?? true),
    grantableCommands: meet(policy.grantableCommands, file.grantableCommands, meetNames),
    images: meet(policy.images, file.images, meetNames),
    runtimes: policy.runtimes.filter((name) => file.runtimes?.includes(name) ?? true),
    watchedLimits: policy.watchedLimits && file.watchedLimits !== false,
    defaults: atMost({ ...policy.defaults, ...file.defaults }, ceilings),
    ceilings,
    scan: [policy.scan, file.scan].includes('run') ? 'run' : (policy.scan ?? file.scan ?? null),
    maxConcurrent: fewer('maxConcurrent'),
    maxConcurrentPerSkill: fewer('maxConcurrentPerSkill'),
    maxQueue: fewer('maxQueue'),
  };
}

/** The rules for what two lists allow together. An absent list allows everything. */
function meet<T>(
  one: readonly T[] | null,
  other: readonly T[] | null | undefined,
  both: (a: T, b: T) => T | null,
): readonly T[] | null {
  if (one === null || other === null || other === undefined) return one ?? other ?? null;
  return one.flatMap((a) => other.map((b) => both(a, b)).filter((rule) => rule !== null));
}

/** The content of one policy file. Whatever it does not mention is absent. */
interface PolicyFile extends Partial<Omit<OperatorPolicy, 'file' | 'defaults' | 'ceilings'>> {
  readonly file: string;
  readonly defaults: Partial<OperatorPolicy['defaults']>;
  readonly ceilings: Partial<OperatorPolicy['ceilings']>;
}

/** A schema for a value that a parser of its own reads. */
const by = <T>(parse: (value: unknown) => Parsed<T>) => optional(parsedBy(anything(), parse));
const texts = <T>(parse: (text: string) => Parsed<T>) => optional(list(parsedBy(text(), parse)));
const patterns = (parse: (text: string) => Parsed<string>) => texts((one) => parsePattern(one, parse));

const limits = object(Object.fromEntries(limitNames.map((name) => [limitForms[name].key, by(limitForms[name].parse)])));

/** All tables of the file, and the keys in each. */
const tablesFor = (environment: Environment) =>
  object({
    allow: optional(
      object({
        network: texts(parseHost),
        filesystem: texts((path) => parsePath(path, environment)),
        env: patterns(parseEnvName),
        secrets: patterns(parseSecretName),
        commands: patterns(parseCommand),
        images: patterns(parseImage),
        runtimes: texts(parseRuntime),
        watched_limits: optional(flag()),
      }),
    ),
    commands: optional(object({ free: texts(parseCommand) })),
    limits: optional(limits),
    ceilings: optional(limits),
    scan: optional(object({ required: optional(choice(['add', 'run'])) })),
    concurrency: optional(object({ total: by(parseCount), per_skill: by(parseCount), queue: by(parseCount) })),
  });

function parseRuntime(name: string): Parsed<RuntimeName> {
  const found = runtimeNames.find((one) => one === name);
  return found === undefined
    ? problem(`${shown(name)} is not a runtime`, `Use ${runtimeNames.join(', ')}.`)
    : parsed(found);
}

/** Reads a policy file; null where there is none. Whatever is wrong with it is an error: nothing is then allowed. */
async function readPolicyFile(file: string, environment: Environment): Promise<PolicyFile | null> {
  const document = await readToml(file);
  if (document.kind === 'absent') return null;
  if (document.kind === 'invalid') {
    const line = document.at === undefined ? '' : `:${document.at.line}:${document.at.column}`;
    throw new SkillError('config', `${file}${line}: ${document.message}`, { hint: 'Correct the policy file.' });
  }
  refuseForeign(file, environment);
  const reading = read(tablesFor(environment), document.value, 'file', 1);
  if (!reading.ok) throw refusal(file, document.text, reading.issues[0]);
  const {
    allow = {},
    commands = {},
    limits: defaults = {},
    ceilings = {},
    scan = {},
    concurrency = {},
  } = reading.value;
  const { network, filesystem, env, secrets, images, runtimes } = allow;
  const policy = {
    ...{ network, filesystem, env, secrets, images, runtimes },
    grantableCommands: allow.commands,
    watchedLimits: allow.watched_limits,
    commands: commands.free,
    scan: scan.required,
    maxConcurrent: concurrency.total,
    maxConcurrentPerSkill: concurrency.per_skill,
    maxQueue: concurrency.queue,
  };
  return { ...said(policy), defaults: limitsIn(defaults), ceilings: limitsIn(ceilings), file };
}

type Said<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** The values without those that the file does not mention. */
function said<T extends object>(values: T): Said<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Said<T>;
}

function limitsIn(values: Infer<typeof limits>): Partial<Limits> {
  return said(Object.fromEntries(limitNames.map((name) => [name, values[limitForms[name].key]])));
}

function refusal(file: string, content: string, { kind, path, expected, message, remedy }: Issue): SkillError {
  const line = lineOfKey(content, path);
  const at = line === null ? file : `${file}:${line}`;
  if (kind !== 'unknown') {
    const hint = remedy ?? `It must be ${expected}.`;
    return new SkillError('config', `${at}: ${pathText(path)}: ${message}`, { hint });
  }
  const known =
    path.length === 1
      ? `Known tables: [${expected.replaceAll(', ', '], [')}].`
      : `Known keys of [${path[0]}]: ${expected}.`;
  return new SkillError('config', `${at}: unknown key ${shown(pathText(path))}`, { hint: known });
}

/** Refuses a policy that everybody can write, since its writer decides what is allowed. */
function refuseForeign(file: string, { platform }: Environment): void {
  const stats = statOf(file);
  if (platform === 'win32' || !stats.ok || (stats.value.mode & 0o002) === 0) return;
  throw new SkillError('config', `${file}: everyone can write to it`, { hint: `Run: chmod o-w ${file}` });
}
