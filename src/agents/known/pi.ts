import { ample, atHome, home, inProject, lenient, ran, shared, sharedAtHome } from '../rows.ts';
import type { Agent } from '../types.ts';

export const pi: Agent = {
  id: 'pi',
  name: 'pi',
  folders: { provider: 'pi', project: ['.pi/skills'], global: [home('.pi/agent/skills')] },
  native: {
    source: ran('0.73.1', '2026-11-16'),
    places: [inProject('pi', '.pi/skills', 'start'), shared, atHome('pi', '~/.pi/agent/skills'), sharedAtHome],
    traits: {
      listed: `in-root nested deep large types long-name name-letters name-signs long-description manual-spelling paths
        codex-policy`,
      lost: 'inside-another below-root-skill hidden-folder below-hidden file-name mark colon yaml',
      manual: 'manual',
    },
    sameName: 'first',
    listing: ample(140_000, 'a model that it does not know'),
    spares: ['name'],
  },
  setup: {
    global: [home('.pi/agent/mcp.json')],
    traces: [home('.pi/agent')],
    programs: ['pi'],
    // Without these its extension for MCP names the server alone: no tool and no skill.
    entry: { defaults: { directTools: true, exposeResources: false }, urlKey: 'url', variables: null },
    isApp: false,
    names: lenient,
    client: { name: 'pi', protocol: '2025-06-18' },
    notes: ['Pi reads this file through an extension for MCP, such as pi-mcp-adapter.'],
  },
};
