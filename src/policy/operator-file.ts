import { readToml } from '../kernel/documents.ts';
import type { Environment } from '../kernel/environment.ts';
import { SkillError } from '../kernel/errors.ts';
import { statOf } from '../kernel/files.ts';
import { type Parsed, parsed, problem, shown } from '../kernel/parsed.ts';
import { parseCount } from '../kernel/quantities.ts';
import { anything, flag, type Infer, list, object, optional, parsedBy, text } from '../kernel/schema.ts';
import { type Issue, pathText, read } from '../kernel/schema-reader.ts';
import { lineOfKey } from '../kernel/toml-lines.ts';
import { parseHost } from './hosts.ts';
import { limitForms, limitNames } from './limits.ts';
import { parseCommand, parseEnvName, parseImage, parsePattern, parseSecretName } from './names.ts';
import { parsePath } from './paths.ts';
import { type Limits, type OperatorPolicy, type RuntimeName, runtimeNames } from './types.ts';

/** What one policy file says. What it does not speak of is not there. */
export interface PolicyFile extends Partial<Omit<OperatorPolicy, 'file' | 'defaults' | 'ceilings'>> {
  readonly file: string;
  readonly defaults: Partial<OperatorPolicy['defaults']>;
  readonly ceilings: Partial<OperatorPolicy['ceilings']>;
}

/** A value that a parser of its own reads. */
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
    concurrency: optional(object({ total: by(parseCount), per_skill: by(parseCount), queue: by(parseCount) })),
  });

function parseRuntime(name: string): Parsed<RuntimeName> {
  const found = runtimeNames.find((one) => one === name);
  return found === undefined
    ? problem(`${shown(name)} is not a runtime`, `Use ${runtimeNames.join(', ')}.`)
    : parsed(found);
}

/** Reads a policy file; null where there is none. Whatever is wrong with it is an error: nothing is then allowed. */
export async function readPolicyFile(file: string, environment: Environment): Promise<PolicyFile | null> {
  const document = await readToml(file);
  if (document.kind === 'absent') return null;
  if (document.kind === 'invalid') {
    const line = document.at === undefined ? '' : `:${document.at.line}:${document.at.column}`;
    throw new SkillError('config', `${file}${line}: ${document.message}`, { hint: 'Correct the policy file.' });
  }
  refuseForeign(file, environment);
  const reading = read(tablesFor(environment), document.value, 'file');
  if (!reading.ok) throw refusal(file, document.text, reading.issues[0]);
  const { allow = {}, commands = {}, limits: defaults = {}, ceilings = {}, concurrency = {} } = reading.value;
  const { network, filesystem, env, secrets, images, runtimes } = allow;
  const policy = {
    ...{ network, filesystem, env, secrets, images, runtimes },
    grantableCommands: allow.commands,
    watchedLimits: allow.watched_limits,
    commands: commands.free,
    maxConcurrent: concurrency.total,
    maxConcurrentPerSkill: concurrency.per_skill,
    maxQueue: concurrency.queue,
  };
  return { ...said(policy), defaults: limitsIn(defaults), ceilings: limitsIn(ceilings), file };
}

type Said<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Without what the file does not speak of. */
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

/** Who can write the policy decides what is allowed; that cannot be everybody. */
function refuseForeign(file: string, { platform }: Environment): void {
  const stats = statOf(file);
  if (platform === 'win32' || !stats.ok || (stats.value.mode & 0o002) === 0) return;
  throw new SkillError('config', `${file}: everyone can write to it`, { hint: `Run: chmod o-w ${file}` });
}
