import { type Environment, variable } from '../../../core/environment.ts';
import { SkillError } from '../../../core/errors.ts';
import { isLoopback, type Target } from '../../../get/connect/target.ts';
import type { SetupAgent, Values } from '../agents/types.ts';
import { isMap, type Json } from '../edit/values.ts';
import type { Program } from '../plan/entry.ts';

/**
 * Reads from an entry how the agent connects. Every spelling is read, so that entries written by people are understood.
 */
export function targetOf(entry: Values, agent: SetupAgent, environment: Environment): Target {
  const url = ['url', 'httpUrl', 'serverUrl', 'uri']
    .map((key) => entry[key])
    .find((value) => typeof value === 'string');
  const expand = (text: string): string => expanded(text, agent, environment);
  const [command, ...args] = [entry['command'] ?? entry['cmd'] ?? [], entry['args'] ?? []]
    .flat()
    .map((word) => expand(asText(word)));
  if (command !== undefined && command !== '') {
    const env = texts(entry['env'] ?? entry['envs'] ?? entry['environment']);
    return {
      kind: 'process',
      command,
      args,
      env: Object.fromEntries(Object.entries(env).map(([key, value]) => [key, expand(value)])),
      cwd: typeof entry['cwd'] === 'string' ? entry['cwd'] : null,
    };
  }
  if (url === undefined) {
    throw new SkillError('config', 'its entry names neither a command nor an address', { hint: again(agent) });
  }
  const headers = { ...texts(entry['http_headers']), ...texts(entry['headers']) };
  const sent = Object.entries(headers).map(([key, value]) => [key, expand(value)]);
  return { kind: 'address', url: expand(url), headers: { ...named(entry, environment), ...Object.fromEntries(sent) } };
}

/** Headers that are given by the names of variables, as Codex has them. */
function named(entry: Values, environment: Environment): Record<string, string> {
  const token = entry['bearer_token_env_var'];
  const pairs = Object.entries(texts(entry['env_http_headers'])).map(([key, name]) => [key, needed(name, environment)]);
  return {
    ...(Object.fromEntries(pairs) as Record<string, string>),
    ...(typeof token === 'string' ? { Authorization: `Bearer ${needed(token, environment)}` } : {}),
  };
}

function expanded(text: string, { shape: { variables } }: SetupAgent, environment: Environment): string {
  return variables === null ? text : text.replace(variables.pattern, (_, name: string) => needed(name, environment));
}

function needed(name: string, environment: Environment): string {
  const value = variable(environment, name);
  if (value !== undefined) return value;
  const hint = `Set it for the agent as well: it reads ${name} from the environment it is started in.`;
  throw new SkillError('config', `the variable ${name}, which its entry names, is not set here`, { hint });
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function texts(value: Json | undefined): Record<string, string> {
  return isMap(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asText(one)])) : {};
}

/** The advice to run the command that corrects an entry. */
export function again({ id }: SetupAgent): string {
  return `Run repertoire setup ${id} to write it again.`;
}

/** Whether the entry exists but is switched off. */
export function isOff(entry: Values): boolean {
  return entry['enabled'] === false || entry['disabled'] === true;
}

/** Options that only choose what is shown. Others open the machine, or send what is on it elsewhere. */
const harmless: ReadonlySet<string> = new Set([
  ...['--tool-names', '--tools', '--include', '--exclude', '--skill-dir', '--root', '--on-duplicate'],
  ...['--no-plugins', '--no-scan-default-dirs', '--no-activity'],
]);

/**
 * Tells whether an entry has this very program serve with nothing else around it, or goes to a server on this machine.
 * A project's file comes with whatever was checked out: anything else it names is not run, and is sent nothing, just
 * because somebody checks.
 */
export function isOurs(target: Target, { file, node, onPath }: Program): boolean {
  if (target.kind === 'address') return URL.canParse(target.url) && isLoopback(new URL(target.url));
  const { command, args, env, cwd } = target;
  const isPlain = Object.keys(env).length === 0 && cwd === null;
  if (command === onPath) return isPlain && onlyServes(args);
  return isPlain && [node, process.execPath].includes(command) && args[0] === file && onlyServes(args.slice(1));
}

/**
 * Tells whether arguments only serve: this very program could also be asked to grant or run something, and would do it.
 */
function onlyServes([verb, ...options]: readonly string[]): boolean {
  const names = options.filter((word) => word.startsWith('-')).map((word) => word.split('=')[0] ?? word);
  return verb === 'serve' && names.every((name) => harmless.has(name));
}
