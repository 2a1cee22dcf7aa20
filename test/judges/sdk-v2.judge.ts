import { rmSync } from 'node:fs';
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { DIRECTORY_MIME_TYPE, type Skill, SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { command, judgeServer } from './client.ts';
import { exampleWorld, leftOut } from './example-world.ts';
import { type JudgedServer, startServer } from './server.ts';

const world = exampleWorld();
let http: JudgedServer;
let sse: JudgedServer;

beforeAll(async () => {
  [http, sse] = await Promise.all([
    startServer(world, ['serve', '--transport', 'http']),
    startServer(world, ['serve', '--transport', 'sse']),
  ]);
});

afterAll(async () => {
  await Promise.all([http.stop(), sse.stop()]);
  rmSync(world.root, { recursive: true, force: true });
});

const transports = {
  stdio: (): Transport => new StdioClientTransport(command(world, ['serve'])),
  HTTP: (): Transport => new StreamableHTTPClientTransport(new URL(http.url)),
  SSE: (): Transport => new SSEClientTransport(new URL(sse.url)),
};

const eras = {
  handshake: { mode: 'legacy', era: 'legacy' },
  stateless: { mode: { pin: '2026-07-28' }, era: 'modern' },
  'whichever it finds': { mode: 'auto', era: 'modern' },
} as const;

const cases = [
  ['stdio', 'handshake'],
  ['stdio', 'stateless'],
  ['stdio', 'whichever it finds'],
  ['HTTP', 'handshake'],
  ['HTTP', 'stateless'],
  ['HTTP', 'whichever it finds'],
  ['SSE', 'handshake'],
] as const;

interface Connected {
  readonly client: Client;
  readonly changes: () => number;
}

async function connect(transport: keyof typeof transports, era: keyof typeof eras): Promise<Connected> {
  let changes = 0;
  const onChanged = (): void => {
    changes++;
  };
  const client = new Client(
    { name: 'judge', version: '1.0.0' },
    {
      versionNegotiation: { mode: eras[era].mode },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } },
    },
  );
  await client.connect(transports[transport]());
  expect(client.getProtocolEra()).toBe(eras[era].era);
  return { client, changes: () => changes };
}

it.for(cases)('%s, %s', async ([transport, era]) => {
  const { client, changes } = await connect(transport, era);
  const judge = {
    tools: async () => (await client.listTools()).tools,
    call: (name: string, args: object) => client.callTool({ name, arguments: { ...args } }),
    read: (uri: string) => client.readResource({ uri }),
    prompts: async () => (await client.listPrompts()).prompts,
    changes,
    close: () => client.close(),
  };
  try {
    await judgeServer(judge, world, `new-by-${transport}-${era}`.toLowerCase().replaceAll(' ', '-'));
  } finally {
    await client.close();
  }
});

const certain = cases.filter(([, era]) => era !== 'whichever it finds');

it.for(certain)('skills, digests and folders: %s, %s', async ([transport, era], { task }) => {
  const { client } = await connect(transport, era);
  try {
    const skills = new SkillsClient(client);
    expect(skills.supported && skills.directoryRead).toBe(true);
    const { skills: listed } = await skills.list();
    const known = (await world.list()).skills.map(({ name }) => name).filter((name) => !leftOut.includes(name));
    expect(listed.map(({ frontmatter }) => frontmatter.name).sort()).toEqual(known.sort());
    let files = 0;
    for (const skill of listed) {
      expect((await skills.get(skill.uri)).skill).toEqual(skill);
      const uris = urisOf(skill);
      // Throws where size, digest or front matter is not what the listing says.
      for (const uri of uris) expect((await skills.read(skill, uri)).verified).toBe(true);
      if (uris.length > 1)
        expect((await walk(skills, skill.uri.replace(/\/SKILL\.md$/, ''))).sort()).toEqual(uris.sort());
      files += uris.length;
    }
    expect(files).toBeGreaterThan(150);
    task.meta.count = { passed: files, total: files };
  } finally {
    await client.close();
  }
});

function urisOf({ resources }: Skill): string[] {
  return resources === 'dynamic' ? [] : resources.map(({ uri }) => uri);
}

/** Every file below a folder, as the folders tell it. */
async function walk(skills: SkillsClient, folder: string): Promise<string[]> {
  const { resources } = await skills.readDirectory(folder);
  const below = await Promise.all(
    resources.map(async ({ uri, mimeType }) => (mimeType === DIRECTORY_MIME_TYPE ? walk(skills, uri) : [uri])),
  );
  return below.flat();
}
