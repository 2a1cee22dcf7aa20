import { ample, atHome, claude, claudeAtHome, config, inProject, lenient, ran, shared, sharedAtHome } from '../rows.ts';
import type { Agent, EntryStyle } from '../types.ts';

/** The entry of opencode. Its timeout is for listing tools, and defaults to 5 s. */
export const opencodeEntry: EntryStyle = {
  layout: 'one list',
  process: { type: 'local' },
  address: { type: 'remote' },
  defaults: { enabled: true, timeout: 60_000 },
  urlKey: 'url',
  variables: 'bare braces',
};

export const opencode: Agent = {
  id: 'opencode',
  name: 'opencode',
  folders: {
    provider: 'opencode',
    project: ['.opencode/skill', '.opencode/skills'],
    global: [config('opencode/skill'), config('opencode/skills')],
  },
  native: {
    source: ran('1.18.33', '2026-11-16'),
    places: [
      inProject('opencode', '.opencode/skills'),
      claude,
      shared,
      atHome('opencode', '~/.config/opencode/skills'),
      claudeAtHome,
      sharedAtHome,
    ],
    traits: {
      listed: `in-root nested deep inside-another below-root-skill mark large colon types long-name name-letters name-signs
        long-description manual manual-spelling paths codex-policy`,
      lost: 'file-name',
    },
    listing: ample(140_000, 'a context of 200,000 tokens'),
    spares: [],
  },
  setup: {
    at: ['mcp'],
    global: [config('opencode/opencode.jsonc'), config('opencode/opencode.json')],
    project: ['opencode.jsonc', 'opencode.json'],
    traces: [config('opencode')],
    programs: ['opencode'],
    entry: opencodeEntry,
    isApp: false,
    startMs: 5000,
    startKey: { key: 'timeout', unitMs: 1 },
    names: lenient,
    client: { name: 'opencode', protocol: '2025-11-25' },
  },
};
