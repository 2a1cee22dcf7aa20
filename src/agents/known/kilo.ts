import { atHome, config, inProject, read, shared } from '../rows.ts';
import type { Agent } from '../types.ts';
import { opencodeEntry } from './opencode.ts';

export const kilo: Agent = {
  id: 'kilo',
  name: 'Kilo Code',
  aliases: ['kilocode', 'kilo-code'],
  folders: { provider: 'kilo', aliases: ['kilocode'], project: ['.kilo/skills', '.kilocode/skills'] },
  native: {
    source: read('documentation', '2026-11-15'),
    places: [inProject('kilo', '.kilo/skills'), shared, atHome('kilo', '~/.kilo/skills')],
  },
  setup: {
    at: ['mcp'],
    global: [config('kilo/kilo.jsonc'), config('kilo/kilo.json')],
    traces: [config('kilo')],
    programs: ['kilo', 'kilocode'],
    entry: opencodeEntry,
    isApp: false,
    startMs: 5000,
    startKey: { key: 'timeout', unitMs: 1 },
    client: { name: 'kilo', protocol: '2025-11-25' },
  },
};
