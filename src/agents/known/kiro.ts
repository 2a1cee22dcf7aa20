import { atHome, home, inProject, installed } from '../rows.ts';
import type { Agent } from '../types.ts';

export const kiro: Agent = {
  id: 'kiro-cli',
  name: 'Kiro',
  folders: { provider: 'kiro', project: ['.kiro/skills'] },
  native: installed(inProject('kiro', '.kiro/skills'), atHome('kiro', '~/.kiro/skills')),
  setup: {
    id: 'kiro',
    global: [home('.kiro/settings/mcp.json')],
    project: ['.kiro/settings/mcp.json'],
    traces: [home('.kiro')],
    programs: ['kiro', 'kiro-cli'],
    entry: { defaults: { disabled: false }, urlKey: 'url', variables: 'braces' },
    client: { name: 'kiro', protocol: '2025-06-18' },
    approval: { asks: 'Kiro asks before it calls a tool, also to load a skill.', toolsIn: 'autoApprove' },
  },
};
