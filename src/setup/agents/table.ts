import { dirname } from 'node:path';
import { isInside } from '../../kernel/paths.ts';
import { isMap } from '../edit/values.ts';
import { approvals } from './approvals.ts';
import { otherAgents } from './others.ts';
import { claudeCommand, codeCommand, codexCommand, geminiStyle } from './own-commands.ts';
import { config, data, home, lenient, moved, only, usual } from './rows.ts';
import { shapes } from './shapes.ts';
import type { SetupAgent, Trust } from './types.ts';

/** Agents that use a server only in folders that a person trusts, and where that stands. Seen in the agents in November 2026. */
const trusts = {
  claude: {
    scopes: ['project'],
    file: moved('CLAUDE_CONFIG_DIR', '', '.claude.json'),
    format: 'json',
    at: (folder) => ['projects', folder, 'hasTrustDialogAccepted'],
    value: true,
    unanswered: false,
  },
  codex: {
    scopes: ['project'],
    file: moved('CODEX_HOME', '.codex', 'config.toml'),
    format: 'toml',
    at: (folder) => ['projects', folder, 'trust_level'],
    value: 'trusted',
  },
  gemini: {
    scopes: ['global', 'project'],
    file: home('.gemini/trustedFolders.json'),
    format: 'json',
    at: (folder) => [folder],
    value: 'TRUST_FOLDER',
    // Trust in a folder counts for what is below it; that in the parent of one, for all beside it.
    isInherited: (settings, folder) =>
      isMap(settings) &&
      Object.entries(settings).some(
        ([path, level]) =>
          (level === 'TRUST_FOLDER' && isInside(path, folder)) ||
          (level === 'TRUST_PARENT' && isInside(dirname(path), folder)),
      ),
  },
} as const satisfies Readonly<Record<string, Trust>>;

const restart = (name: string): string => `Quit and restart ${name}.`;

/** Every agent that `setup` can connect. The ids are those people know from the installers of skills. */
export const setupAgents: readonly SetupAgent[] = [
  {
    ...usual,
    id: 'claude-code',
    name: 'Claude Code',
    aliases: ['claude'],
    global: [{ base: { variable: 'CLAUDE_CONFIG_DIR', fallback: '' }, path: '.claude.json' }],
    project: ['.mcp.json'],
    traces: [moved('CLAUDE_CONFIG_DIR', '.claude', ''), home('.claude.json')],
    programs: ['claude'],
    shape: shapes.claude,
    isApp: false,
    toolNames: 'documented',
    names: lenient,
    startMs: 30_000,
    client: { name: 'claude-code', protocol: '2026-07-28' },
    ownCommand: claudeCommand,
    approval: approvals.claude,
    trust: trusts.claude,
    notes: ['Open sessions see it after /mcp, or when they are restarted.'],
  },
  {
    ...usual,
    id: 'claude-desktop',
    name: 'Claude Desktop',
    global: [data('Claude/claude_desktop_config.json')],
    traces: [data('Claude')],
    shape: shapes.processOnly,
    client: { name: 'claude-ai', protocol: '2025-06-18' },
    notes: [restart('Claude Desktop')],
  },
  {
    ...usual,
    id: 'codex',
    name: 'Codex',
    format: 'toml',
    at: ['mcp_servers'],
    global: [moved('CODEX_HOME', '.codex', 'config.toml')],
    project: ['.codex/config.toml'],
    traces: [moved('CODEX_HOME', '.codex', '')],
    programs: ['codex'],
    shape: shapes.codex,
    startMs: 10_000,
    startKey: { key: 'startup_timeout_sec', unitMs: 1000 },
    names: lenient,
    client: { name: 'codex-mcp-client', protocol: '2025-06-18' },
    ownCommand: codexCommand,
    approval: approvals.codex,
    trust: trusts.codex,
  },
  {
    ...usual,
    id: 'cursor',
    name: 'Cursor',
    global: [home('.cursor/mcp.json')],
    project: ['.cursor/mcp.json'],
    traces: [home('.cursor')],
    programs: ['cursor', 'cursor-agent'],
    shape: shapes.cursor,
    names: { pattern: /^[a-zA-Z0-9_]{1,60}$/, together: 60 },
    client: { name: 'cursor-vscode', protocol: '2025-06-18' },
    notes: ["Enable the server in Cursor's settings, under MCP."],
  },
  {
    ...usual,
    id: 'vscode',
    name: 'VS Code',
    aliases: ['github-copilot', 'copilot', 'vs-code', 'code'],
    at: ['servers'],
    global: [data('Code/User/mcp.json')],
    project: ['.vscode/mcp.json'],
    traces: [data('Code')],
    programs: ['code'],
    shape: shapes.vscode,
    names: lenient,
    client: { name: 'Visual Studio Code', protocol: '2025-11-25' },
    ownCommand: codeCommand,
    notes: ['VS Code asks whether you trust the server when it first starts it.'],
  },
  {
    ...usual,
    id: 'copilot-cli',
    name: 'Copilot CLI',
    global: [home('.copilot/mcp-config.json')],
    project: ['.github/mcp.json', '.mcp.json'],
    traces: [home('.copilot')],
    programs: ['copilot'],
    shape: shapes.copilot,
    isApp: false,
    names: lenient,
    client: { name: 'github-copilot-developer', protocol: '2025-06-18' },
    approval: approvals.copilot,
  },
  {
    ...usual,
    id: 'gemini-cli',
    name: 'Gemini CLI',
    aliases: ['gemini'],
    global: [home('.gemini/settings.json')],
    project: ['.gemini/settings.json'],
    traces: [home('.gemini/settings.json')],
    programs: ['gemini'],
    shape: shapes.gemini,
    isApp: false,
    toolNames: 'documented',
    names: lenient,
    client: { name: 'gemini-cli-mcp-client', protocol: '2025-11-25' },
    ownCommand: geminiStyle('gemini'),
    approval: approvals.gemini,
    trust: trusts.gemini,
  },
  {
    ...usual,
    id: 'antigravity',
    name: 'Antigravity',
    global: [home('.gemini/config/mcp_config.json')],
    traces: [home('.gemini/config'), home('.gemini/antigravity'), home('.gemini/antigravity-cli')],
    programs: ['antigravity', 'agy'],
    shape: shapes.antigravity,
    client: { name: 'antigravity', protocol: '2025-06-18' },
    notes: [restart('Antigravity')],
  },
  {
    ...usual,
    id: 'windsurf',
    name: 'Windsurf',
    global: [home('.codeium/windsurf/mcp_config.json')],
    traces: [home('.codeium/windsurf')],
    programs: ['windsurf'],
    shape: shapes.windsurf,
    client: { name: 'windsurf-client', protocol: '2025-06-18' },
    notes: ["Press refresh in Windsurf's list of MCP servers."],
  },
  {
    ...usual,
    id: 'zed',
    name: 'Zed',
    at: ['context_servers'],
    global: [
      only('darwin', 'data', 'Zed/settings.json'),
      config('zed/settings.json'),
      only('win32', 'data', 'Zed/settings.json'),
    ],
    project: ['.zed/settings.json'],
    traces: [config('zed'), only('win32', 'data', 'Zed'), only('darwin', 'data', 'Zed')],
    programs: ['zed', 'zeditor'],
    shape: shapes.zed,
    client: { name: 'Zed', protocol: '2025-03-26' },
  },
  {
    ...usual,
    id: 'opencode',
    name: 'opencode',
    at: ['mcp'],
    global: [config('opencode/opencode.jsonc'), config('opencode/opencode.json')],
    project: ['opencode.jsonc', 'opencode.json'],
    traces: [config('opencode')],
    programs: ['opencode'],
    shape: shapes.opencode,
    isApp: false,
    startMs: 5000,
    startKey: { key: 'timeout', unitMs: 1 },
    names: lenient,
    client: { name: 'opencode', protocol: '2025-11-25' },
  },
  {
    ...usual,
    id: 'goose',
    name: 'Goose',
    format: 'yaml',
    at: ['extensions'],
    global: [config('goose/config.yaml'), only('win32', 'data', 'Block/goose/config/config.yaml')],
    project: ['.goose/config.yaml'],
    traces: [config('goose'), only('win32', 'data', 'Block/goose')],
    programs: ['goose'],
    shape: shapes.goose,
    startKey: { key: 'timeout', unitMs: 1000 },
    client: { name: 'goose', protocol: '2025-03-26' },
  },
  ...otherAgents,
];

/** The agents that a word stands for, by id or alias: two of the same maker may share one. */
export function agentsNamed(word: string): readonly SetupAgent[] {
  const wanted = word.toLowerCase();
  return setupAgents.filter(({ id, aliases }) => id === wanted || aliases.includes(wanted));
}
