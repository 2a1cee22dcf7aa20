import { atHome, claude, home, inProject, lenient, plugins, ran, read, shared, sharedAtHome } from '../rows.ts';
import type { Agent } from '../types.ts';

export const copilotCli: Agent = {
  id: 'copilot-cli',
  name: 'Copilot CLI',
  aliases: ['github-copilot-cli'],
  native: {
    source: ran('1.0.102', '2026-11-16'),
    places: [
      inProject('copilot', '.github/skills'),
      shared,
      claude,
      atHome('copilot', '~/.copilot/skills'),
      sharedAtHome,
      plugins('copilot', read('documentation', '2026-11-15')),
    ],
    traits: {
      listed: 'in-root nested deep mark paths codex-policy',
      lost: `inside-another below-root-skill hidden-folder below-hidden file-name colon yaml long-name
        long-description`,
      manual: 'manual manual-spelling',
    },
    sameName: 'first',
    listing: {
      most: Number.POSITIVE_INFINITY,
      rooms: [{ characters: 14_500, with: 'GPT-4.1' }],
      overflow: 'drops descriptions',
      overhead: ({ name }) => name.length + 94,
    },
  },
  setup: {
    global: [home('.copilot/mcp-config.json')],
    project: ['.github/mcp.json', '.mcp.json'],
    traces: [home('.copilot')],
    programs: ['copilot'],
    entry: {
      process: { type: 'stdio' },
      address: { type: 'http' },
      defaults: { tools: ['*'] },
      urlKey: 'url',
      variables: 'braces',
    },
    isApp: false,
    names: lenient,
    client: { name: 'github-copilot-developer', protocol: '2025-06-18' },
    approval: {
      asks: 'Copilot CLI loads and searches without asking. Before it runs a tool of a skill it asks, and copilot -p refuses.',
      unasked: 'read',
      command: (server) => `copilot --allow-tool=${server}`,
    },
  },
};
