import { type Environment, variable } from '../../../core/environment.ts';
import { SkillError } from '../../../core/errors.ts';
import { connectTo } from '../../../get/connect/client.ts';
import { isLoopback, type Target } from '../../../get/connect/target.ts';
import type { Link } from '../../../get/connect/transport.ts';
import type { SetupAgent, Values } from '../agents/types.ts';
import { isMap, type Json } from '../edit/values.ts';
import type { Program } from '../plan/entry.ts';

/** A connection to a server: its instructions, its tools and its resources. */
export interface Connection {
  /** The instructions of the server for the model. */
  readonly instructions: string;
  readonly tools: () => Promise<readonly { readonly name: string; readonly description?: string | undefined }[]>;
  readonly resources: () => Promise<readonly { readonly name: string; readonly uri: string }[]>;
  /** Calls the tool `skill`, and tells whether it has loaded the skill. */
  readonly loads: (name: string) => Promise<boolean>;
}

/** Connects as this agent does: under its name, in its revision of the protocol. */
export async function connect(
  link: Link,
  { client: { name, protocol } }: SetupAgent,
  timeout: number,
): Promise<Connection> {
  const { client, asked } = await connectTo(link, { name, version: '1.0.0', protocol }, { timeout });
  const { tools, resources } = client.getServerCapabilities() ?? {};
  // A list made while the skills were still being read is out of date a moment later.
  const options = { timeout, cacheMode: 'refresh' } as const;
  return {
    instructions: client.getInstructions() ?? '',
    // The library prints to stdout if the server has none.
    tools: async () => (tools === undefined ? [] : (await asked('tools/list', client.listTools({}, options))).tools),
    resources: async () =>
      resources === undefined ? [] : (await asked('resources/list', client.listResources({}, options))).resources,
    async loads(skill) {
      const params = { name: 'skill', arguments: { name: skill } };
      const { content, isError } = await asked(
        'tools/call',
        client.request({ method: 'tools/call', params }, { timeout }),
      );
      const [first] = content;
      return isError !== true && first?.type === 'text' && first.text.startsWith('Loading: ');
    },
  };
}

/** A skill by its name, and by one that distinguishes it from others of that name. */
interface Offered {
  readonly name: string;
  readonly fullName: string;
}

interface Catalogue {
  readonly skills: readonly Offered[];
  /** Number of skills, including those that are not named. */
  readonly count: number;
}

/** The skills that the model is shown; those offered as resources where its tool lists none. */
export async function offeredSkills(connection: Connection): Promise<Catalogue> {
  const resources = await connection.resources();
  // The skills are sure to have been read only now.
  const tools = await connection.tools();
  const listed = catalogueIn(tools.find(({ name }) => name === 'skill')?.description ?? '');
  return listed.count > 0 ? listed : offeredBy(resources);
}

/** Parses the catalogue between `<available_skills>` and its end. */
function catalogueIn(description: string): Catalogue {
  const list = /<available_skills>(.*)<\/available_skills>/s.exec(description)?.[1] ?? '';
  if (list.includes('This server offers no skills')) return { skills: [], count: 0 };
  const skills = [...list.matchAll(/<name>(.*?)<\/name>/gs)].map(([, name = '']) => {
    const plain = unescapeXml(name);
    return { name: plain, fullName: plain };
  });
  return { skills, count: skills.length + Number(/<more>and (\d+) more/.exec(list)?.[1] ?? 0) };
}

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(\w+);/g, (entity, name: string) => signs[name] ?? entity);
}

/** The skills among resources, whose addresses are `skill://PROVIDER/NAME/SKILL.md`. */
function offeredBy(resources: readonly { readonly name: string; readonly uri: string }[]): Catalogue {
  const skills = resources.flatMap(({ name, uri }) => {
    const path = /^skill:\/\/(.*)\/SKILL\.md$/i.exec(uri)?.[1];
    return path === undefined ? [] : [{ name, fullName: path.replace('/', ':') }];
  });
  return { skills, count: skills.length };
}

/** Number of skills that a text names. */
export function namedIn(text: string, skills: readonly Offered[]): number {
  const words = new Set(text.split(/[\s,;()`"']+/).flatMap((word) => [word, word.replace(/[.:]+$/, '')]));
  return skills.filter(({ name, fullName }) => words.has(name) || words.has(fullName)).length;
}

/**
 * Loads the first of the skills that can be loaded, and returns its name. A name that several have loads none of them.
 */
export async function loadOne({ loads }: Connection, skills: readonly Offered[]): Promise<string | null> {
  const names = skills.slice(0, 5).flatMap(({ name, fullName }) => [name, fullName]);
  for (const name of new Set(names)) {
    if (await loads(name)) return name;
  }
  return null;
}

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
