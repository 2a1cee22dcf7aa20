import { atHome, home, inProject, installed } from '../rows.ts';
import type { Agent } from '../types.ts';

export const windsurf: Agent = {
  id: 'windsurf',
  name: 'Windsurf',
  folders: { provider: 'windsurf', project: ['.windsurf/skills'], global: [home('.codeium/windsurf/skills')] },
  native: installed(inProject('windsurf', '.windsurf/skills'), atHome('windsurf', '~/.codeium/windsurf/skills')),
  setup: {
    global: [home('.codeium/windsurf/mcp_config.json')],
    traces: [home('.codeium/windsurf')],
    programs: ['windsurf'],
    entry: { urlKey: 'serverUrl', variables: 'env braces' },
    client: { name: 'windsurf-client', protocol: '2025-06-18' },
    notes: ["Press refresh in Windsurf's list of MCP servers."],
  },
};
