import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, variable } from '../../../core/environment.ts';
import { SkillError } from '../../../core/errors.ts';
import { settlesWithin } from '../../../core/settles-within.ts';
import { cut } from '../../../core/text/text.ts';
import { connectTo } from '../../../get/connect/client.ts';
import { basicVariables, isLoopback, refuseOffline, type Target } from '../../../get/connect/target.ts';
import { type Link, openAddress, openProcess, type Remedies } from '../../../get/connect/transport.ts';
import { fileOf, projectFolder } from '../agents/places.ts';
import type { Scope, SetupAgent, Values } from '../agents/types.ts';
import { valueIn } from '../edit/edit.ts';
import { isMap, type Json } from '../edit/values.ts';
import { readSettings } from '../edit/write.ts';
import type { Program } from '../plan/entry.ts';
import { pendingFor } from './pending.ts';

/** Agents that pass on everything. */
const generous: readonly string[] = ['claude-code'];

function inherited({ id }: SetupAgent, { env }: Environment): Record<string, string> {
  const names = generous.includes(id) ? Object.keys(env) : basicVariables;
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/** Milliseconds after which loading a skill counts as hanging; it takes a few. */
const loadMs = 60_000;

/** The longest time in milliseconds that any agent waits, a day, whatever its file says. */
const longestMs = 86_400_000;

/** The result of connecting as one agent, by its own file. */
export interface Checked {
  readonly agent: string;
  readonly name: string;
  readonly scope: Scope;
  readonly file: string;
  /** Milliseconds from the start until the tools were listed. */
  readonly startMs: number | null;
  readonly tools: number | null;
  readonly skills: number | null;
  /** Number of those skills that the instructions of a first start name. */
  readonly told: number | null;
  /** The skill that was loaded as a trial. */
  readonly loaded: string | null;
  readonly works: boolean;
  /** The problem, or a fact worth knowing. */
  readonly reason: string | null;
  readonly remedy: string | null;
  /** The confirmation that a person must still give in the agent; null where none is known to be missing. */
  readonly pending: string | null;
  /** Remarks that do not keep it from working. */
  readonly notes: readonly string[];
}

/** Our entry in an agent's file; or, where the file cannot be understood, why. */
interface Entered {
  readonly agent: SetupAgent;
  readonly scope: Scope;
  readonly file: string;
  readonly entry: Values | null;
  readonly problem: string | null;
}

/** Reads an agent's file for our entry; null where there is none. */
export function enteredIn(
  agent: SetupAgent,
  scope: Scope,
  { name, environment }: { readonly name: string; readonly environment: Environment },
): Entered | null {
  const file = fileOf(agent, scope, environment);
  const read = file === null ? null : readSettings(file);
  if (file === null || read === null || (read.ok && read.text === null)) return null;
  if (!read.ok) return { agent, scope, file, entry: null, problem: `its file cannot be read: ${read.reason}` };
  const found = valueIn(agent.format, read.text ?? '', [...agent.at, name]);
  if (!found.ok) {
    // A broken file is somebody else's trouble, unless our entry is in it.
    if (read.text?.includes(name) !== true) return null;
    return { agent, scope, file, entry: null, problem: `its file cannot be parsed: ${found.reason}` };
  }
  if (found.value === undefined) return null;
  if (isMap(found.value)) return { agent, scope, file, entry: found.value, problem: null };
  return { agent, scope, file, entry: null, problem: 'its entry is not a table of keys' };
}

interface Checking {
  readonly name: string;
  readonly environment: Environment;
  readonly signal: AbortSignal | undefined;
  readonly program: Program;
  /** Whether the program that a project's file names may be run, whatever it is. */
  readonly trustsProject: boolean;
  /** Whether nothing may be asked of other machines. */
  readonly offline: boolean;
}

/** Connects the way the agent would, and reports how far it came. */
export async function check({ agent, scope, file, entry, problem }: Entered, checking: Checking): Promise<Checked> {
  const base: Checked = {
    ...{ agent: agent.id, name: agent.name, scope, file },
    ...{ startMs: null, tools: null, skills: null, told: null, loaded: null, works: false, reason: problem },
    ...{ remedy: null, pending: null, notes: [] },
  };
  if (entry === null) return { ...base, remedy: 'Correct the file; repertoire setup shows what belongs in it.' };
  if (isOff(entry)) return { ...base, reason: 'it is disabled in the file', remedy: `Enable it in ${agent.name}.` };
  try {
    const target = targetOf(entry, agent, checking.environment);
    if (scope === 'project' && !checking.trustsProject && !isOurs(target, checking.program))
      return { ...base, ...foreign };
    if (target.kind === 'address') refuseOffline(target.url, checking.offline);
    const { name: server, environment } = checking;
    const pending = pendingFor({ agent, scope, server, environment });
    return { ...base, ...(await tried(agent, { entry, target }, checking)), pending };
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    return { ...base, reason: error.message, remedy: error.hint ?? again(agent) };
  }
}

type Found = Pick<
  Checked,
  'startMs' | 'tools' | 'skills' | 'told' | 'loaded' | 'works' | 'reason' | 'remedy' | 'notes'
>;

/** The result for a foreign program: a check must not run what somebody else has written. */
const foreign = {
  reason: "the project's file names a program other than this one, so it was not started",
  remedy: 'Check the entry. If you trust it: repertoire setup --check --project.',
};

interface CheckTarget {
  readonly entry: Values;
  readonly target: Target;
}

async function tried(agent: SetupAgent, { entry, target }: CheckTarget, checking: Checking): Promise<Found> {
  const limitMs = startLimit(agent, entry);
  // The cache is empty: the agent's first start is what a person sees first, and nothing is remembered for it.
  const cache = mkdtempSync(join(tmpdir(), 'repertoire-check-'));
  const started = performance.now();
  const link = opened(agent, target, { ...checking, limitMs, cache });
  try {
    const { connection, names } = await inTime(
      limitMs,
      `${agent.name} waits ${limitMs / 1000} s for a server, and this one had not answered by then`,
      begin(link, agent, limitMs),
    );
    const startMs = Math.round(performance.now() - started);
    const found = { startMs, tools: names.length, skills: null, told: null, loaded: null, notes: [] };
    const objection = objectionTo(names, agent, checking.name);
    if (objection !== null && (target.kind === 'process' || !names.includes('skill')))
      return { ...found, ...objection };
    // A server that others use too is not ours to change, and its tool `skill` suits every agent.
    const notes = objection === null ? [] : [`${objection.reason}: start the server with --tool-names portable`];
    return await inTime(loadMs, 'no skill was loaded within a minute', loading(connection, { ...found, notes }, agent));
  } finally {
    await link.close();
    rmSync(cache, { recursive: true, force: true });
  }
}

async function begin(link: Link, agent: SetupAgent, limitMs: number) {
  // The time limits of this file expire before those of the library, so that ours are reported.
  const connection = await connect(link, agent, Math.ceil(limitMs) + loadMs);
  return { connection, names: (await connection.tools()).map(({ name }) => name) };
}

async function loading(
  connection: Connection,
  found: Pick<Found, 'startMs' | 'tools' | 'notes'>,
  agent: SetupAgent,
): Promise<Found> {
  const { skills, count } = await offeredSkills(connection);
  const loaded = await loadOne(connection, skills);
  const told = namedIn(connection.instructions, skills);
  const notes = [...found.notes, ...(skills.length > 0 && told === 0 ? [untold] : [])];
  const base = { ...found, skills: count, told, loaded, works: true, reason: null, remedy: null, notes };
  if (loaded !== null) return base;
  if (skills.length > 0) {
    return { ...base, works: false, reason: 'no skill could be loaded', remedy: 'Run repertoire doctor.' };
  }
  return { ...base, reason: `there is no skill to load that ${agent.name} does not load itself` };
}

const untold = 'on a first start the instructions name none of the skills';

interface Opening extends Checking {
  readonly limitMs: number;
  readonly cache: string;
}

function opened(agent: SetupAgent, target: Target, { environment, signal, limitMs, cache }: Opening): Link {
  if (target.kind === 'process') {
    const env = { ...inherited(agent, environment), ...target.env, XDG_CACHE_HOME: cache };
    return openProcess({ ...target, env }, { folder: projectFolder(environment), signal, remedies });
  }
  const limits = [AbortSignal.timeout(Math.ceil(limitMs) + loadMs), ...(signal === undefined ? [] : [signal])];
  return openAddress(target, { signal: AbortSignal.any(limits), remedies });
}

/** Remedies for the person who has set up an agent. */
const remedies: Remedies = {
  401: 'Set REPERTOIRE_TOKEN to the token that the server was started with.',
  403: 'Start the server with --allowed-host and the name in the address.',
  404: 'Check the address: it ends in /mcp.',
  silent: ({ port }) => `Start the server: repertoire serve --http --port ${port || 80}`,
  command: 'Is the path in the entry still right?',
  address: 'Correct the address in the entry.',
};

/** The time limit in the file, or the agent's default. */
function startLimit({ startKey, startMs }: SetupAgent, entry: Values): number {
  const said = startKey === undefined ? undefined : entry[startKey.key];
  return typeof said === 'number' && said > 0 ? Math.min(said * (startKey?.unitMs ?? 1), longestMs) : startMs;
}

/** The reason why the agent could not use what the server lists; null where it can. */
function objectionTo(
  names: readonly string[],
  agent: SetupAgent,
  server: string,
): Pick<Found, 'works' | 'reason' | 'remedy'> | null {
  if (!names.includes('skill')) {
    const remedy = 'Is it Repertoire that the entry starts? If it is, leave skill among its --tools.';
    return { works: false, reason: 'the server has no tool called skill', remedy };
  }
  const { pattern, together } = agent.names;
  const odd = names.filter((name) => !pattern.test(name) || server.length + name.length > together);
  if (odd.length === 0) return null;
  return {
    works: false,
    reason: `${agent.name} does not accept tools called ${cut(odd.join(', '), 200)}`,
    remedy: again(agent),
  };
}

async function inTime<T>(ms: number, late: string, work: Promise<T>): Promise<T> {
  if (await settlesWithin(ms, work)) return work;
  throw new SkillError('unavailable', late, { hint: 'Run its command in a terminal to see what it is waiting for.' });
}

/** A connection to a server: its instructions, its tools and its resources. */
interface Connection {
  /** The instructions of the server for the model. */
  readonly instructions: string;
  readonly tools: () => Promise<readonly { readonly name: string; readonly description?: string | undefined }[]>;
  readonly resources: () => Promise<readonly { readonly name: string; readonly uri: string }[]>;
  /** Calls the tool `skill`, and tells whether it has loaded the skill. */
  readonly loads: (name: string) => Promise<boolean>;
}

/** Connects as this agent does: under its name, in its revision of the protocol. */
async function connect(link: Link, { client: { name, protocol } }: SetupAgent, timeout: number): Promise<Connection> {
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
async function offeredSkills(connection: Connection): Promise<Catalogue> {
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
function namedIn(text: string, skills: readonly Offered[]): number {
  const words = new Set(text.split(/[\s,;()`"']+/).flatMap((word) => [word, word.replace(/[.:]+$/, '')]));
  return skills.filter(({ name, fullName }) => words.has(name) || words.has(fullName)).length;
}

/**
 * Loads the first of the skills that can be loaded, and returns its name. A name that several have loads none of them.
 */
async function loadOne({ loads }: Connection, skills: readonly Offered[]): Promise<string | null> {
  const names = skills.slice(0, 5).flatMap(({ name, fullName }) => [name, fullName]);
  for (const name of new Set(names)) {
    if (await loads(name)) return name;
  }
  return null;
}

/**
 * Reads from an entry how the agent connects. Every spelling is read, so that entries written by people are understood.
 */
function targetOf(entry: Values, agent: SetupAgent, environment: Environment): Target {
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
function again({ id }: SetupAgent): string {
  return `Run repertoire setup ${id} to write it again.`;
}

/** Whether the entry exists but is switched off. */
function isOff(entry: Values): boolean {
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
function isOurs(target: Target, { file, node, onPath }: Program): boolean {
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
