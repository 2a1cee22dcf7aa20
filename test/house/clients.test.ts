import { readFileSync } from 'node:fs';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { setupAgents } from '../../src/agents/setup/agents/table.ts';
import { connectStdio, startHttp } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';

const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');

/** Where each client's file keeps its servers. */
const keys = setupAgents.map(({ at }) => at.join('.'));

type Server = Readonly<Record<string, unknown>>;

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  json: (text) => JSON.parse(text),
  toml: parseToml,
  yaml: (text) => parseYaml(text),
};

const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language = '', text = '']) => ({
  language,
  text,
}));

const servers: readonly Server[] = blocks.flatMap(({ language, text }) => {
  const read = readers[language];
  return read === undefined ? [] : [serverIn(read(text) as Record<string, Record<string, Server>>)];
});

/** The lines that a person types. */
const typed = blocks
  .filter(({ language }) => language === 'console')
  .flatMap(({ text }) => [...text.matchAll(/^\$ (.*)$/gm)].map(([, line = '']) => line));

function serverIn(file: Record<string, Record<string, Server>>): Server {
  const [key = '', ...others] = Object.keys(file);
  expect(keys).toContain(key);
  expect(others).toEqual([]);
  const server = file[key]?.['repertoire'];
  if (server === undefined) throw new Error(`no server called repertoire below ${key}`);
  return server;
}

/** The words with which a client would start the server; none for one that runs already. */
function commandOf({ command, cmd, args }: Server): string[] | null {
  const words = [command ?? cmd ?? [], args ?? []].flat() as string[];
  return words.length === 0 ? null : words;
}

/** What comes after the program's own name, however it is spelled. */
function optionsIn(words: readonly string[]): string[] {
  const line = words.join(' ');
  const found = /^\/usr\/local\/bin\/repertoire (.*)$/.exec(line);
  if (found === null) throw new Error(`not a way to start the program: ${line}`);
  return (found[1] ?? '').split(' ');
}

/** A typed line that has a client start the server. */
function commandIn(line: string): string[] | null {
  const json = /--add-mcp '(.*)'$/.exec(line)?.[1];
  if (json !== undefined) return commandOf(JSON.parse(json) as Server);
  const words = /(\/usr\/local\/bin\/repertoire .*)$/.exec(line)?.[1];
  return words?.split(' ') ?? null;
}

const started = [...servers.map(commandOf), ...typed.map(commandIn)].filter((words) => words !== null).map(optionsIn);
const different = [...new Set(started.map((options) => options.join(' ')))];
const serving = typed.filter((line) => line.includes(' repertoire serve '));
const remote = servers.filter((server) => commandOf(server) === null);

describe('docs/clients.md', () => {
  it('has an entry for each agent that setup knows, and a way to see that it works', () => {
    const sections = new Map(page.split(/^## /m).map((section) => [section.split('\n')[0], section]));
    const others = sections.get('Other agents') ?? '';
    for (const { name } of setupAgents) {
      const section = sections.get(name) ?? (others.includes(`\n| ${name} `) ? others : undefined);
      expect(section, name).toMatch(/```(json|toml|yaml)\n/);
      expect(section, name).toMatch(/See that it works:/);
    }
    expect(started.length + remote.length).toBeGreaterThan(24);
  });

  it('promises nothing that must be fetched by a name', () => {
    for (const text of [page, readFileSync(new URL('../../docs/setup.md', import.meta.url), 'utf8')]) {
      expect(text).not.toMatch(/\bnpx\b|npm (?:i|install) -g repertoire/);
    }
  });

  it.each(different)('starts a server that works: %s', async (options) => {
    const world = createWorld();
    world.skill('project/.claude/skills/csv-profiler');
    const server = await connectStdio(world, options.split(' '));
    expect((await server.tools()).map(({ name }) => name)).toContain('skill');
    expect(await server.load('csv-profiler')).toMatch(/^Loading: csv-profiler\n/);
    expect(await server.end()).toBe(0);
  });

  it.each(serving)('connects to: %s', async (line) => {
    const world = createWorld();
    world.skill('project/.claude/skills/csv-profiler');
    const [, token = '', options = ''] = /^REPERTOIRE_TOKEN=(\S+) repertoire (.*) --port 3000$/.exec(line) ?? [];
    const { url } = await startHttp(world, options.split(' '), { env: { REPERTOIRE_TOKEN: token } });
    for (const { url: a, httpUrl: b, serverUrl: c, uri: d, headers, bearer_token_env_var: named } of remote) {
      expect(a ?? b ?? c ?? d).toBe('http://127.0.0.1:3000/mcp');
      const { Authorization = `Bearer {env:${String(named)}}` } = (headers ?? {}) as Record<string, string>;
      const sent = Authorization.replace(/\$?\{(?:env:)?REPERTOIRE_TOKEN\}/, token);
      expect(await toolsOver(url, options, { Authorization: sent })).toContain('skill');
    }
    await expect(toolsOver(url, options, {})).rejects.toThrow();
  });
});

async function toolsOver(url: string, options: string, headers: Record<string, string>): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const Transport = options.includes('sse') ? SSEClientTransport : StreamableHTTPClientTransport;
  try {
    await client.connect(new Transport(new URL(url), { requestInit: { headers } }));
    return (await client.listTools()).tools.map(({ name }) => name);
  } finally {
    await client.close();
  }
}
