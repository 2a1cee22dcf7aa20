import { Client, ProtocolError, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';
import type { SkillError } from '../../core/errors.ts';
import { cut } from '../../core/text.ts';
import type { SetupAgent } from '../agents/types.ts';
import { type Link, unavailable } from './transport.ts';

/** The first revision without a handshake: each request says who asks. */
const firstModern = '2026-07-28';

/** What a server tells a client: of itself, its tools and its resources. */
export interface Connection {
  /** What the server tells the model of itself. */
  readonly instructions: string;
  readonly tools: () => Promise<readonly { readonly name: string; readonly description?: string | undefined }[]>;
  readonly resources: () => Promise<readonly { readonly name: string; readonly uri: string }[]>;
  /** Calls the tool skill, and tells whether it has loaded the skill. */
  readonly loads: (name: string) => Promise<boolean>;
}

/** Connects as this agent does: by its name, in its revision of the protocol. */
export async function connect(
  link: Link,
  { client: { name, protocol } }: SetupAgent,
  timeout: number,
): Promise<Connection> {
  const versions = SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== protocol);
  const client = new Client(
    { name, version: '1.0.0' },
    {
      supportedProtocolVersions: [protocol, ...versions],
      versionNegotiation: { mode: protocol >= firstModern ? 'auto' : 'legacy' },
      listMaxPages: 1000,
    },
  );
  const asked = async <T>(what: string, answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      throw error instanceof ProtocolError ? failed(what, error) : (link.failure() ?? failed(what, error));
    }
  };
  await asked('the handshake', client.connect(link.transport, { timeout }));
  const { tools, resources } = client.getServerCapabilities() ?? {};
  // What was listed while the skills were still being read is not what it says a moment later.
  const options = { timeout, cacheMode: 'refresh' } as const;
  return {
    instructions: client.getInstructions() ?? '',
    // Of a server that has none, the library prints so to stdout.
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

function failed(what: string, error: unknown): SkillError {
  // The library lists all that is wrong with an answer, as JSON.
  const [message = ''] = cut(error instanceof Error ? error.message : String(error), 200).split(': [');
  if (error instanceof ProtocolError)
    return unavailable(
      `${what} was answered with an error: ${message}`,
      'Run repertoire doctor, and check the log of the server.',
    );
  return unavailable(`the server does not speak the protocol (${message})`, 'Is it an MCP server?');
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
export async function offeredSkills(connection: Connection): Promise<Catalogue> {
  const resources = await connection.resources();
  // Only now are the skills sure to have been read.
  const tools = await connection.tools();
  const listed = catalogueIn(tools.find(({ name }) => name === 'skill')?.description ?? '');
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
function offeredBy(resources: readonly { readonly name: string; readonly uri: string }[]): Catalogue {
  const skills = resources.flatMap(({ name, uri }) => {
    const path = /^skill:\/\/(.*)\/SKILL\.md$/i.exec(uri)?.[1];
    return path === undefined ? [] : [{ name, fullName: path.replace('/', ':') }];
  });
  return { skills, count: skills.length };
}

/** How many of the skills a text names. */
export function namedIn(text: string, skills: readonly Offered[]): number {
  const words = new Set(text.split(/[\s,;()`"']+/).flatMap((word) => [word, word.replace(/[.:]+$/, '')]));
  return skills.filter(({ name, fullName }) => words.has(name) || words.has(fullName)).length;
}

/** Loads the first of the skills that can be loaded, and tells which. A name that several have loads none of them. */
export async function loadOne({ loads }: Connection, skills: readonly Offered[]): Promise<string | null> {
  const names = skills.slice(0, 5).flatMap(({ name, fullName }) => [name, fullName]);
  for (const name of new Set(names)) {
    if (await loads(name)) return name;
  }
  return null;
}
