import { claude, claudeAtHome, home, lenient, moved, plugins, ran, userOr } from '../rows.ts';
import type { Agent } from '../types.ts';

/** The names of tools in Claude Code's rules; over HTTP either spelling may be listed. */
function rulesFor(server: string, tools: readonly string[]): readonly string[] {
  const spellings = tools.flatMap((tool) => [tool.replace(/[^\w-]/g, '_'), tool.replace(/\W/g, '_')]);
  return [...new Set(spellings)].map((tool) => `mcp__${server}__${tool}`);
}

/** The state file, beside its folder or in the one that a variable names. */
const state = moved('CLAUDE_CONFIG_DIR', '', '.claude.json');

export const claudeCode: Agent = {
  id: 'claude-code',
  name: 'Claude Code',
  aliases: ['claude'],
  folders: {
    provider: 'claude',
    aliases: ['claude-code'],
    project: ['.claude/skills'],
    global: [moved('CLAUDE_CONFIG_DIR', '.claude', 'skills')],
    plugins: moved('CLAUDE_CONFIG_DIR', '.claude', 'plugins'),
  },
  native: {
    source: ran('2.1.325', '2026-11-16'),
    places: [claudeAtHome, claude, plugins('claude')],
    traits: {
      listed: `below-root-skill hidden-folder mark colon types long-name name-letters name-signs long-description
        codex-policy`,
      lost: 'in-root nested deep inside-another below-hidden file-name paths',
      manual: 'manual manual-spelling',
    },
    sameName: 'first',
    label: 'folder',
    listing: {
      most: 1536,
      rooms: [
        { characters: 1800, with: 'a context of 200,000 tokens (Haiku 4.5, Sonnet 4.5, Opus 4.5)' },
        { characters: 23_700, with: 'a context of a million tokens (Opus 5.5, Sonnet 5)' },
      ],
      overflow: 'drops descriptions',
      overhead: ({ name }) => name.length + '- : \n'.length,
    },
    spares: ['name', 'description', 'front matter'],
  },
  setup: {
    global: [state],
    project: ['.mcp.json'],
    traces: [moved('CLAUDE_CONFIG_DIR', '.claude', ''), home('.claude.json')],
    programs: ['claude'],
    entry: {
      process: { type: 'stdio' },
      address: { type: 'http' },
      defaults: { timeout: 300_000 },
      urlKey: 'url',
      variables: 'braces',
    },
    isApp: false,
    toolNames: 'documented',
    names: lenient,
    startMs: 30_000,
    client: { name: 'claude-code', protocol: '2026-07-28' },
    ownCommand: {
      stdio: (name, scope, { command, args }) => [
        ...['claude', 'mcp', 'add', '--scope', userOr(scope), name],
        ...['--', command, ...args],
      ],
      http: (name, scope, url) => ['claude', 'mcp', 'add', '--scope', userOr(scope), '--transport', 'http', name, url],
      remove: (name, scope) => ['claude', 'mcp', 'remove', '--scope', userOr(scope), name],
    },
    approval: {
      asks: 'Claude Code asks before it calls a tool, also to load a skill.',
      rules: {
        global: moved('CLAUDE_CONFIG_DIR', '.claude', 'settings.json'),
        // The file for all projects is never used: the same name in the file of any other project would be approved
        // too.
        project: '.claude/settings.local.json',
        lists: (server, scope, tools) => [
          ...(scope === 'project' ? [{ at: ['enabledMcpjsonServers'], items: [server] }] : []),
          { at: ['permissions', 'allow'], items: rulesFor(server, tools) },
        ],
      },
    },
    trust: {
      scopes: ['project'],
      file: state,
      format: 'json',
      at: (folder) => ['projects', folder, 'hasTrustDialogAccepted'],
      value: true,
      unanswered: false,
    },
    notes: ['Open sessions see it after /mcp, or when they are restarted.'],
  },
};
