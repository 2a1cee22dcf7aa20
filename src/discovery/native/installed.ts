import { atHome, inProject, shared, sharedAtHome, usual } from './rows.ts';
import type { NativeAgent, Place } from './types.ts';

type Row = readonly [id: string, name: string, aliases: readonly string[], places: readonly Place[]];

const rows: readonly Row[] = [
  [
    'windsurf',
    'Windsurf',
    [],
    [inProject('windsurf', '.windsurf/skills'), atHome('windsurf', '~/.codeium/windsurf/skills')],
  ],
  ['antigravity', 'Antigravity', ['antigravity-cli'], [shared, atHome('antigravity', '~/.gemini/antigravity/skills')]],
  ['kiro-cli', 'Kiro', ['kiro'], [inProject('kiro', '.kiro/skills'), atHome('kiro', '~/.kiro/skills')]],
  ['cline', 'Cline', [], [shared, sharedAtHome]],
  ['kimi-code-cli', 'Kimi Code', ['kimi', 'kimi-cli'], [shared, sharedAtHome]],
  ['grok', 'Grok Build', [], [inProject('grok', '.grok/skills'), atHome('grok', '~/.grok/skills')]],
  ['amp', 'Amp', [], [shared, atHome('agents', '~/.config/agents/skills')]],
  ['warp', 'Warp', [], [shared, sharedAtHome]],
];

/** Agents of which only the folders are known that an installer puts skills into. */
export const installedAgents: readonly NativeAgent[] = rows.map(([id, name, aliases, places]) => ({
  ...usual,
  id,
  name,
  aliases,
  places,
  known: 'the common installer',
}));
