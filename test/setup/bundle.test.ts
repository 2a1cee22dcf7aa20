import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { connectCommand } from '../support/mcp.ts';
import { createWorld, program, type World } from '../support/world.ts';

interface Made {
  readonly folder: string | null;
  readonly files: readonly string[];
  readonly links: Readonly<Record<string, string>>;
  readonly next: readonly string[];
}

async function made(world: World, ...args: string[]): Promise<Made> {
  const run = await world.run(['bundle', ...args, '--json']);
  expect(run.code, run.stdout + run.stderr).toBe(0);
  return run.json<Made>();
}

function readJson<T>({ folder }: Made, file: string): T {
  return JSON.parse(readFileSync(join(folder ?? '', file), 'utf8')) as T;
}

/** What is in an archive, by the index at its end. */
function unpacked(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [size, length] = [bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28)];
    const name = bytes.toString('utf8', at + 46, at + 46 + length);
    const start = bytes.readUInt32LE(at + 42);
    const data = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
    files.set(name, inflateRawSync(bytes.subarray(data, data + size)));
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
}

/** The entry starts a server that loads a skill. */
async function works(world: World, { command, args }: Entry): Promise<void> {
  world.skill('project/skills/pdf');
  const server = await connectCommand(world, command, args);
  expect(await server.load('pdf')).toMatch(/^Loading: pdf\n/);
  expect(await server.end()).toBe(0);
}

describe('repertoire bundle', () => {
  it('makes an .mcpb file that starts wherever it is unpacked, the same each time', async () => {
    const world = createWorld();
    const first = await made(world, 'mcpb', '--out', 'first');
    const bytes = readFileSync(join(first.folder ?? '', first.files[0] ?? ''));
    const files = unpacked(bytes);
    for (const [path, content] of files) world.write(`elsewhere/${path}`, content);
    const manifest = JSON.parse(String(files.get('manifest.json'))) as {
      version: string;
      server: { entry_point: string; mcp_config: Entry };
    };
    expect([...files.keys()]).toContain(manifest.server.entry_point);
    const { args } = manifest.server.mcp_config;
    expect(args.join(' ')).not.toContain(dirname(program));
    const filled = args.map((arg) => arg.replace(`\${__dirname}`, world.path('elsewhere')));
    await works(world, { command: process.execPath, args: filled });
    const second = await made(world, 'mcpb', '--out', 'second');
    expect(readFileSync(join(second.folder ?? '', second.files[0] ?? '')).equals(bytes)).toBe(true);
  });

  it('makes a plugin for Claude Code, in a marketplace', async () => {
    const world = createWorld();
    const bundle = await made(world, 'claude-plugin');
    expect(bundle.folder).toBe(world.path('project/repertoire-claude-plugin'));
    const market = readJson<{ name: string; plugins: { name: string; source: string }[] }>(
      bundle,
      '.claude-plugin/marketplace.json',
    );
    const [plugin] = market.plugins;
    expect(bundle.next.join()).toContain(`${plugin?.name}@${market.name}`);
    const manifest = join(plugin?.source ?? '', '.claude-plugin/plugin.json');
    expect(readJson<{ name: string }>(bundle, manifest).name).toBe(plugin?.name);
    const { mcpServers } = readJson<{ mcpServers: { repertoire: Entry } }>(
      bundle,
      join(plugin?.source ?? '', '.mcp.json'),
    );
    expect(mcpServers.repertoire.args).toContain('native:claude-code');
    await works(world, mcpServers.repertoire);
  });

  it('makes a plugin for Codex, in a marketplace', async () => {
    const world = createWorld();
    const bundle = await made(world, 'codex-plugin', '--out', 'p');
    const market = readJson<{ plugins: { source: { path: string } }[] }>(bundle, '.agents/plugins/marketplace.json');
    const path = market.plugins[0]?.source.path ?? '';
    const plugin = readJson<{ mcpServers: string }>(bundle, join(path, '.codex-plugin/plugin.json'));
    const { mcpServers } = readJson<{ mcpServers: { repertoire: Entry } }>(bundle, join(path, plugin.mcpServers));
    expect(mcpServers.repertoire).toMatchObject({ startup_timeout_sec: 30 });
    await works(world, mcpServers.repertoire);
  });

  it('makes an extension for Gemini CLI', async () => {
    const world = createWorld();
    const bundle = await made(world, 'gemini-extension');
    const { mcpServers } = readJson<{ mcpServers: { repertoire: Entry } }>(bundle, 'gemini-extension.json');
    await works(world, mcpServers.repertoire);
  });

  it('writes links that hold the entry of each client, and no file', async () => {
    const world = createWorld();
    const { links, folder } = await made(world, 'links', '--skill-dir', 'mine');
    expect(folder).toBeNull();
    const code = JSON.parse(decodeURIComponent(new URL(links['VS Code'] ?? '').search.slice(1))) as Entry;
    expect(code).toMatchObject({ name: 'repertoire', type: 'stdio' });
    expect(code.args).toContain(world.path('project/mine'));
    const cursor = new URL(links['Cursor'] ?? '').searchParams;
    expect(cursor.get('name')).toBe('repertoire');
    await works(world, JSON.parse(Buffer.from(cursor.get('config') ?? '', 'base64').toString()) as Entry);
  });

  it('describes a published bundle for the registry, by address and digest', async () => {
    const world = createWorld();
    const url = 'https://example.com/repertoire.mcpb';
    const bundle = await made(world, 'server-json', '--id', 'io.github.ann/repertoire', '--url', url);
    const server = readJson<Record<string, unknown>>(bundle, 'server.json');
    const [archive = ''] = bundle.files.filter((file) => file.endsWith('.mcpb'));
    const sha256 = createHash('sha256')
      .update(readFileSync(join(bundle.folder ?? '', archive)))
      .digest('hex');
    const version = (await world.run(['--version'])).stdout.trim();
    expect(server).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'io.github.ann/repertoire',
      title: 'Repertoire',
      description: expect.stringMatching(/^.{1,100}$/) as string,
      version,
      packages: [{ registryType: 'mcpb', identifier: url, version, fileSha256: sha256, transport: { type: 'stdio' } }],
    });
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('refuses what it cannot make, and writes over nothing', async () => {
    const world = createWorld();
    world.write('project/repertoire-mcpb/mine', 'x');
    const wrong = [
      ['bundle', 'mcpb'],
      ['bundle', 'deb'],
      ['bundle', 'server-json'],
      ['bundle', 'server-json', '--id', 'repertoire', '--url', 'https://example.com/x'],
      ['bundle', 'server-json', '--id', 'a.b/c', '--url', 'http://example.com/x'],
      ['bundle', 'links', '--id', 'a.b/c'],
    ];
    for (const args of wrong) {
      const run = await world.run(args);
      expect(run.code, args.join(' ')).toBe(2);
      expect(run.stderr).toMatch(/^error: /);
    }
  });
});
