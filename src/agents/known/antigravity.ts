import { atHome, home, installed, shared } from '../rows.ts';
import type { Agent } from '../types.ts';

export const antigravity: Agent = {
  id: 'antigravity',
  name: 'Antigravity',
  aliases: ['antigravity-cli'],
  folders: {
    provider: 'antigravity',
    project: [],
    global: [home('.gemini/antigravity/skills'), home('.gemini/antigravity-cli/skills')],
  },
  native: installed(shared, atHome('antigravity', '~/.gemini/antigravity/skills')),
  setup: {
    global: [home('.gemini/config/mcp_config.json')],
    traces: [home('.gemini/config'), home('.gemini/antigravity'), home('.gemini/antigravity-cli')],
    programs: ['antigravity', 'agy'],
    entry: { urlKey: 'serverUrl', variables: null },
    client: { name: 'antigravity', protocol: '2025-06-18' },
    notes: ['Quit and restart Antigravity.'],
  },
};
