import { existsSync, readFileSync } from 'node:fs';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import type { World } from '../support/world.ts';

/** One agent's file, as the tests look at it. */
export interface AgentFile {
  readonly id: string;
  /** From the world's folder. */
  readonly global: string;
  /** Null where the agent has none. */
  readonly project: string | null;
  readonly format: 'json' | 'toml' | 'yaml';
  /** The key below which servers stand. */
  readonly key: string;
}

const row = (id: string, global: string, project: string | null, key = 'mcpServers', format = 'json'): AgentFile => ({
  id,
  global: `home/${global}`,
  project: project === null ? null : `project/${project}`,
  format: format as AgentFile['format'],
  key,
});

/** Written down once more, by hand: where each agent looks on Linux. */
export const agentFiles: readonly AgentFile[] = [
  row('claude-code', '.claude.json', '.mcp.json'),
  row('claude-desktop', '.config/Claude/claude_desktop_config.json', null),
  row('codex', '.codex/config.toml', '.codex/config.toml', 'mcp_servers', 'toml'),
  row('cursor', '.cursor/mcp.json', '.cursor/mcp.json'),
  row('gemini-cli', '.gemini/settings.json', '.gemini/settings.json'),
  row('vscode', '.config/Code/User/mcp.json', '.vscode/mcp.json', 'servers'),
  row('copilot-cli', '.copilot/mcp-config.json', '.mcp.json'),
  row('opencode', '.config/opencode/opencode.json', 'opencode.json', 'mcp'),
  row('goose', '.config/goose/config.yaml', '.goose/config.yaml', 'extensions', 'yaml'),
  row('kilo', '.config/kilo/kilo.json', null, 'mcp'),
  row('pi', '.pi/agent/mcp.json', null),
  row('windsurf', '.codeium/windsurf/mcp_config.json', null),
  row('antigravity', '.gemini/config/mcp_config.json', null),
  row('grok', '.grok/config.toml', null, 'mcp_servers', 'toml'),
  row('cline', '.cline/data/settings/cline_mcp_settings.json', null),
  row('cline-vscode', '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json', null),
  row('kimi', '.kimi-code/mcp.json', null),
  row('qwen-code', '.qwen/settings.json', '.qwen/settings.json'),
  row('kiro', '.kiro/settings/mcp.json', '.kiro/settings/mcp.json'),
  row('zed', '.config/zed/settings.json', '.zed/settings.json', 'context_servers'),
];

/** A file that somebody has lived with, with a server of another kind in it. */
export function livedIn({ format, key }: AgentFile): string {
  return {
    json: `// mine, do not touch
{
  "theme": "dark", // at night
  "${key}": {
    /* the other one */
    "other": { "command": "npx", "args": ["-y", "other"], "env": { "API_KEY": "sk-very-secret" }, },
  },
  "last": [1, 2,],
}
`,
    toml: `# mine, do not touch
model = "large" # the best

[${key}.other]
command = "npx"
args = [
  "-y", # yes
  "other",
]

[${key}.other.env]
API_KEY = "sk-very-secret"

[profiles.fast]
model = "small"
`,
    yaml: `# mine, do not touch
GOOSE_MODEL: large # the best
${key}:
  other: # the other one
    type: stdio
    cmd: npx
    args: [-y, other]
    envs:
      API_KEY: sk-very-secret
last: "x"
`,
  }[format];
}

export function textOf(world: World, path: string): string | null {
  return existsSync(world.path(path)) ? readFileSync(world.path(path), 'utf8') : null;
}

/** The parts of a report that tests look at. */
export interface Report {
  mode: string;
  ok: boolean;
  agents: {
    id: string;
    file: string | null;
    state: string;
    action: string;
    done: boolean;
    problem: string | null;
    snippet: string | null;
    diff: string | null;
    backup: string | null;
    command: string | null;
    detectedBy: string | null;
    notes: string[];
    approval: {
      asks: string;
      approved: string | null;
      file: string | null;
      action: string;
      done: boolean;
      problem: string | null;
      diff: string | null;
      snippet: string | null;
      levels: string[];
      impossible: string | null;
    } | null;
    trust: {
      folder: string;
      file: string | null;
      action: string;
      done: boolean;
      problem: string | null;
      diff: string | null;
    } | null;
  }[];
  checks:
    | {
        agent: string;
        scope: string;
        startMs: number | null;
        tools: number | null;
        skills: number | null;
        told: number | null;
        loaded: string | null;
        pending: string | null;
        notes: string[];
        works: boolean;
        reason: string | null;
        remedy: string | null;
      }[]
    | null;
}

export type Server = Readonly<Record<string, unknown>>;

/** Our entry in a file that we have made, where there are no comments. */
export function serverIn(world: World, { global, format, key }: AgentFile): Server | undefined {
  const readers: Record<string, (text: string) => unknown> = { json: JSON.parse, toml: parseToml, yaml: parseYaml };
  const file = readers[format]?.(textOf(world, global) ?? '') as Record<string, Record<string, Server>>;
  return file[key]?.['repertoire'];
}

/** The words that an entry starts a server with, in every shape. */
export function wordsOf({ command, cmd, args }: Server): unknown[] {
  return [command ?? cmd ?? [], args ?? []].flat();
}
