import { atHome, inProject, lenient, moved, ofUser, plugins, ran, read, shared, sharedAtHome } from '../rows.ts';
import type { Agent, EntryStyle } from '../types.ts';

const documented = read('documentation', '2026-08-22');

/** The entry as a table of TOML. Its start-up timeout defaults to ten seconds. */
export const codexEntry: EntryStyle = {
  defaults: { startup_timeout_sec: 30, tool_timeout_sec: 300 },
  urlKey: 'url',
  variables: 'own key',
};

export const codex: Agent = {
  id: 'codex',
  name: 'Codex',
  folders: {
    provider: 'codex',
    project: ['.codex/skills'],
    global: [moved('CODEX_HOME', '.codex', 'skills'), ['system', 'codex/skills']],
    plugins: moved('CODEX_HOME', '.codex', 'plugins'),
  },
  native: {
    source: ran('0.166.0', '2026-11-16'),
    places: [
      atHome('codex', '/etc/codex/skills', documented),
      inProject('codex', '.codex/skills'),
      shared,
      sharedAtHome,
      atHome('codex', '~/.codex/skills'),
      plugins('codex', documented),
    ],
    traits: {
      listed: `in-root nested inside-another below-root-skill large colon name-letters name-signs long-description manual
        manual-spelling paths`,
      lost: 'deep hidden-folder below-hidden file-name mark long-name',
      manual: 'codex-policy',
    },
    sameName: 'all',
    listing: {
      most: 1024,
      rooms: [
        { characters: 10_200, with: 'a context of 128,000 tokens' },
        { characters: 21_700, with: 'a context of 272,000 tokens (gpt-5, gpt-5.2-codex, models it does not know)' },
      ],
      overflow: 'shortens evenly',
      // Codex writes `r0` for the folder of a skill where room is short.
      overhead: ({ name, file }) => name.length + Math.min(file.length, name.length + 12) + '- : (file: )\n'.length,
    },
    spares: ['name'],
  },
  setup: {
    format: 'toml',
    at: ['mcp_servers'],
    global: [moved('CODEX_HOME', '.codex', 'config.toml')],
    project: ['.codex/config.toml'],
    traces: [moved('CODEX_HOME', '.codex', '')],
    programs: ['codex'],
    entry: codexEntry,
    startMs: 10_000,
    startKey: { key: 'startup_timeout_sec', unitMs: 1000 },
    names: lenient,
    client: { name: 'codex-mcp-client', protocol: '2025-06-18' },
    ownCommand: {
      stdio: (name, scope, { command, args }) => ofUser(scope, ['codex', 'mcp', 'add', name, '--', command, ...args]),
      http: (name, scope, url) => ofUser(scope, ['codex', 'mcp', 'add', name, '--url', url]),
      remove: (name, scope) => ofUser(scope, ['codex', 'mcp', 'remove', name]),
    },
    approval: {
      asks: 'Codex loads and searches without asking. Before it runs a tool of a skill it asks, and codex exec refuses.',
      unasked: 'read',
      allBy: ['default_tools_approval_mode', 'approve'],
    },
    trust: {
      scopes: ['project'],
      file: moved('CODEX_HOME', '.codex', 'config.toml'),
      format: 'toml',
      at: (folder) => ['projects', folder, 'trust_level'],
      value: 'trusted',
    },
  },
};
