import { createHash } from 'node:crypto';
import { zip } from '../../core/formats/zip.ts';
import type { Values } from './agents/types.ts';

/** The source of bundles. */
export interface Source {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly nodeVersions: string;
  /** Our entry, in the format of an agent's file. */
  entryFor(agent: string): Values;
  /** The files of the program itself, by their paths from its folder. */
  programFiles(): ReadonlyMap<string, Buffer>;
  /** The place where the bundle will be published, for formats that name it by its address. */
  readonly published: { readonly id: string; readonly url: string } | null;
}

export interface Made {
  /**
   * The files, by their paths from the folder that they are written into; none where there is only something to print.
   */
  readonly files: ReadonlyMap<string, string | Buffer>;
  readonly links: Readonly<Record<string, string>>;
}

interface Kind {
  readonly about: string;
  make(source: Source): Made;
  /** The steps to install it from there. */
  next(folder: string, source: Source): readonly string[];
}

const owner = { name: 'The Repertoire authors' };
const title = 'Repertoire';

function written(files: Readonly<Record<string, object | Buffer>>): Made {
  const texts = Object.entries(files).map(([path, content]): [string, string | Buffer] => [
    path,
    Buffer.isBuffer(content) ? content : `${JSON.stringify(content, null, 2)}\n`,
  ]);
  return { files: new Map(texts), links: {} };
}

const archiveName = ({ name, version }: Source): string => `${name}-${version}.mcpb`;

/** An archive of the program itself, with a manifest that tells a client how to start it: it needs nothing but Node. */
function archive(source: Source): Buffer {
  const { name, version, description, nodeVersions } = source;
  const entry = 'dist/cli/bin.cjs';
  const manifest = {
    ...{ manifest_version: '0.3', name, display_name: title, version, description, author: owner, license: 'MIT' },
    server: {
      type: 'node',
      entry_point: entry,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${entry}`, 'serve', '--tool-names', 'portable'],
        env: {},
      },
    },
    ...{ tools_generated: true, prompts_generated: true, keywords: ['agent-skills', 'skills'] },
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: nodeVersions } },
  };
  const own = [...source.programFiles()].sort(([one], [other]) => (one < other ? -1 : 1));
  return zip([
    { path: 'manifest.json', bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
    ...own.map(([path, bytes]) => ({ path, bytes })),
  ]);
}

const serverSchema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** Every kind of bundle. */
export const kinds = {
  mcpb: {
    about: 'a bundle with the program in it, for Claude Desktop and other clients that open .mcpb files',
    make: (source) => written({ [archiveName(source)]: archive(source) }),
    next: (folder, source) => [`Open ${folder}/${archiveName(source)} in the client.`],
  },
  'claude-plugin': {
    about: 'a plugin for Claude Code, in a marketplace of its own',
    make: (source) => {
      const { name, version, description } = source;
      return written({
        '.claude-plugin/marketplace.json': {
          name,
          owner,
          metadata: { description },
          plugins: [{ name, source: './plugin', description, version }],
        },
        'plugin/.claude-plugin/plugin.json': { name, version, description, author: owner, license: 'MIT' },
        'plugin/.mcp.json': { mcpServers: { [name]: source.entryFor('claude-code') } },
      });
    },
    next: (folder, { name }) => [`claude plugin marketplace add ${folder}`, `claude plugin install ${name}@${name}`],
  },
  'codex-plugin': {
    about: 'a plugin for Codex, in a marketplace of its own',
    make: (source) => {
      const { name, version, description } = source;
      return written({
        '.agents/plugins/marketplace.json': {
          name,
          interface: { displayName: title },
          plugins: [
            {
              name,
              source: { source: 'local', path: './plugin' },
              policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
              category: 'Productivity',
            },
          ],
        },
        'plugin/.codex-plugin/plugin.json': {
          ...{ name, version, description, author: owner, license: 'MIT', mcpServers: './.mcp.json' },
          interface: {
            ...{ displayName: title, shortDescription: description, developerName: owner.name },
            category: 'Productivity',
          },
        },
        'plugin/.mcp.json': { mcpServers: { [name]: source.entryFor('codex') } },
      });
    },
    next: (folder, { name }) => [`codex plugin marketplace add ${folder}`, `codex plugin add ${name}@${name}`],
  },
  'gemini-extension': {
    about: 'an extension for Gemini CLI',
    make: (source) => {
      const { name, version, description } = source;
      const mcpServers = { [name]: source.entryFor('gemini-cli') };
      return written({ 'gemini-extension.json': { name, version, description, mcpServers } });
    },
    next: (folder) => [`gemini extensions install ${folder}`],
  },
  'server-json': {
    about: 'server.json for the MCP registry, and the .mcpb file that it names by its address and digest',
    make: (source) => {
      const { published, version, description } = source;
      if (published === null) throw new Error('an id and an address are needed');
      const bytes = archive(source);
      const transport = { type: 'stdio' };
      const fileSha256 = createHash('sha256').update(bytes).digest('hex');
      const bundle = { registryType: 'mcpb', identifier: published.url, version, fileSha256, transport };
      return written({
        [archiveName(source)]: bytes,
        'server.json': { $schema: serverSchema, name: published.id, title, description, version, packages: [bundle] },
      });
    },
    next: (folder, source) => [
      `Put ${archiveName(source)} at ${source.published?.url ?? 'its address'}, unchanged.`,
      `mcp-publisher publish, in ${folder}`,
    ],
  },
  links: {
    about: 'links that add the server to VS Code or Cursor on this machine',
    make: (source) => {
      const { name } = source;
      const code = encodeURIComponent(JSON.stringify({ name, ...source.entryFor('vscode') }));
      const cursor = Buffer.from(JSON.stringify(source.entryFor('cursor'))).toString('base64');
      return {
        files: new Map(),
        links: {
          'VS Code': `vscode:mcp/install?${code}`,
          'VS Code Insiders': `vscode-insiders:mcp/install?${code}`,
          Cursor: `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encodeURIComponent(cursor)}`,
        },
      };
    },
    next: () => ['Open a link in a browser, or with xdg-open, open or start.'],
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof kinds;
