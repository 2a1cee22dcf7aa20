import { isObject } from '../../kernel/documents.ts';
import { SkillError } from '../../kernel/errors.ts';
import { cut } from '../../kernel/text.ts';
import type { SetupAgent } from '../agents/types.ts';
import type { Channel, Params } from './types.ts';

/** The first revision without a handshake: each request says who asks. */
const firstModern = '2026-07-28';
const lastLegacy = '2025-11-25';

/** A client that has been understood. */
export interface Connection {
  /** What the server tells the model of itself. */
  readonly instructions: string;
  readonly ask: (method: string, params?: Params) => Promise<Params>;
}

/** Connects as this agent does: by its name, in its revision of the protocol. */
export async function connect(channel: Channel, { client }: SetupAgent): Promise<Connection> {
  const info = { name: client.name, version: '1.0.0' };
  if (client.protocol >= firstModern) {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': client.protocol,
      'io.modelcontextprotocol/clientInfo': info,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const found = await channel.request('server/discover', { _meta: meta });
    if (found.ok) return connection(channel, found.result, { _meta: meta });
  }
  const protocolVersion = client.protocol >= firstModern ? lastLegacy : client.protocol;
  const answer = await channel.request('initialize', { protocolVersion, capabilities: {}, clientInfo: info });
  if (!answer.ok) throw failed('the handshake', answer.message);
  await channel.notify('notifications/initialized');
  return connection(channel, answer.result, {});
}

function connection(channel: Channel, { instructions }: Params, always: Params): Connection {
  return {
    instructions: typeof instructions === 'string' ? instructions : '',
    async ask(method, params = {}) {
      const answer = await channel.request(method, { ...params, ...always });
      if (answer.ok) return answer.result;
      throw failed(method, answer.message);
    },
  };
}

function failed(what: string, message: string): SkillError {
  const hint = 'Run repertoire doctor, and check the log of the server.';
  return new SkillError('unavailable', `${what} was answered with an error: ${cut(message, 200)}`, { hint });
}

/** The names of the tools that the server lists. */
export async function toolNames({ ask }: Connection): Promise<readonly string[]> {
  return (await everyPage(ask, 'tools/list', 'tools')).map(({ name }) => String(name));
}

/** A skill by its name, and by one that tells it from others of that name. */
interface Offered {
  readonly name: string;
  readonly fullName: string;
}

interface Catalogue {
  readonly skills: readonly Offered[];
  /** How many there are, also where only some are named. */
  readonly count: number;
}

/** The skills that the model is told of; those that are offered as resources where its tool lists none. */
export async function offeredSkills({ ask }: Connection): Promise<Catalogue> {
  const resources = await everyPage(ask, 'resources/list', 'resources');
  // Only now are the skills sure to have been read.
  const tools = await everyPage(ask, 'tools/list', 'tools');
  const listed = catalogueIn(String(tools.find(({ name }) => name === 'skill')?.['description']));
  return listed.count > 0 ? listed : offeredBy(resources);
}

/** What stands between `<available_skills>` and its end. */
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

/** The addresses of skills are `skill://PROVIDER/NAME/SKILL.md`. */
function offeredBy(resources: readonly Params[]): Catalogue {
  const skills = resources.flatMap(({ name, uri }) => {
    const path = /^skill:\/\/(.*)\/SKILL\.md$/i.exec(String(uri))?.[1];
    return path === undefined ? [] : [{ name: String(name), fullName: path.replace('/', ':') }];
  });
  return { skills, count: skills.length };
}

/** How many of the skills a text names. */
export function namedIn(text: string, skills: readonly Offered[]): number {
  const words = new Set(text.split(/[\s,;()`"']+/).flatMap((word) => [word, word.replace(/[.:]+$/, '')]));
  return skills.filter(({ name, fullName }) => words.has(name) || words.has(fullName)).length;
}

/** Loads the first of the skills that can be loaded, and tells which. A name that several have loads none of them. */
export async function loadOne({ ask }: Connection, skills: readonly Offered[]): Promise<string | null> {
  const names = skills.slice(0, 5).flatMap(({ name, fullName }) => [name, fullName]);
  for (const name of new Set(names)) {
    const { content, isError } = await ask('tools/call', { name: 'skill', arguments: { name } });
    const [first] = (Array.isArray(content) ? content : []) as readonly { readonly text?: unknown }[];
    if (isError !== true && String(first?.text).startsWith('Loading: ')) return name;
  }
  return null;
}

const mostPages = 1000;

async function everyPage(ask: Connection['ask'], method: string, key: string): Promise<readonly Params[]> {
  const all: Params[] = [];
  let cursor: unknown;
  for (let page = 0; page < mostPages; page++) {
    const result = await ask(method, cursor === undefined ? {} : { cursor });
    const list = result[key];
    for (const one of Array.isArray(list) ? (list as readonly unknown[]) : []) if (isObject(one)) all.push(one);
    cursor = result['nextCursor'];
    if (typeof cursor !== 'string') break;
  }
  return all;
}
