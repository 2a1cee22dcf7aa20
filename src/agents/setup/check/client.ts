import { connectTo } from '../../../get/connect/client.ts';
import type { Link } from '../../../get/connect/transport.ts';
import type { SetupAgent } from '../agents/types.ts';

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
