import { atHome, claude, claudeAtHome, inProject, shared, sharedAtHome } from './places.ts';
import { read } from './sources.ts';
import type { NativeAgent, Place, Source } from './types.ts';

type Row = readonly [id: string, name: string, aliases: readonly string[], source: Source, places: readonly Place[]];

const documentation = read('documentation', '2026-11-15');
const source = read('source', '2026-11-15');
const installer = read('installer', '2026-10-19');
const codexAtHome = atHome('codex', '~/.codex/skills');

/** What somebody wrote of their folders is all that is known of these agents, so the server leaves nothing out for them. */
const rows: readonly Row[] = [
  [
    'cursor',
    'Cursor',
    [],
    documentation,
    [
      shared,
      inProject('cursor', '.cursor/skills'),
      claude,
      inProject('codex', '.codex/skills'),
      atHome('cursor', '~/.cursor/skills'),
      claudeAtHome,
      codexAtHome,
    ],
  ],
  [
    'github-copilot',
    'VS Code (GitHub Copilot)',
    ['vscode', 'vs-code', 'copilot'],
    source,
    [
      inProject('copilot', '.github/skills'),
      shared,
      claude,
      atHome('copilot', '~/.copilot/skills'),
      sharedAtHome,
      claudeAtHome,
    ],
  ],
  [
    'goose',
    'Goose',
    [],
    read('source', '2026-04-03'),
    [
      inProject('goose', '.goose/skills'),
      claude,
      shared,
      sharedAtHome,
      atHome('goose', '~/.config/goose/skills'),
      claudeAtHome,
      atHome('agents', '~/.config/agents/skills'),
    ],
  ],
  ['zed', 'Zed', [], source, [shared, sharedAtHome]],
  ['claude-desktop', 'Claude Desktop', [], documentation, []],
  [
    'kilo',
    'Kilo Code',
    ['kilocode', 'kilo-code'],
    documentation,
    [inProject('kilo', '.kilo/skills'), shared, atHome('kilo', '~/.kilo/skills')],
  ],
  [
    'droid',
    'Factory Droid',
    ['factory'],
    documentation,
    [inProject('factory', '.factory/skills'), shared, atHome('factory', '~/.factory/skills')],
  ],
  [
    'windsurf',
    'Windsurf',
    [],
    installer,
    [inProject('windsurf', '.windsurf/skills'), atHome('windsurf', '~/.codeium/windsurf/skills')],
  ],
  [
    'antigravity',
    'Antigravity',
    ['antigravity-cli'],
    installer,
    [shared, atHome('antigravity', '~/.gemini/antigravity/skills')],
  ],
  ['kiro-cli', 'Kiro', ['kiro'], installer, [inProject('kiro', '.kiro/skills'), atHome('kiro', '~/.kiro/skills')]],
  ['grok', 'Grok Build', [], installer, [inProject('grok', '.grok/skills'), atHome('grok', '~/.grok/skills')]],
  ['amp', 'Amp', [], installer, [shared, atHome('agents', '~/.config/agents/skills')]],
  ['warp', 'Warp', [], installer, [shared, sharedAtHome]],
];

/** Agents that nobody here has run. */
export const unseenAgents: readonly NativeAgent[] = rows.map(([id, name, aliases, by, places]) => ({
  ...{ id, name, aliases, places },
  source: by,
  traits: {},
  sameName: 'unknown',
  label: 'name',
  listing: null,
  spares: null,
}));
