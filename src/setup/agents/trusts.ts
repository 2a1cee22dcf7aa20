import { dirname } from 'node:path';
import { isInside } from '../../kernel/paths.ts';
import { isMap } from '../edit/values.ts';
import { home, moved } from './rows.ts';
import type { Trust } from './types.ts';

/** Agents that use a server only in folders that a person trusts, and where that stands. Seen in the agents in November 2026. */
export const trusts = {
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
