import { atHome, data, home, inProject, lenient, moved, ran, sharedAtHome } from '../rows.ts';
import type { Agent, EntryStyle } from '../types.ts';

const entry: EntryStyle = {
  address: { type: 'streamableHttp' },
  defaults: { disabled: false, timeout: 300 },
  urlKey: 'url',
  variables: null,
};
const extension = 'Code/User/globalStorage/saoudrizwan.claude-dev';

export const clineCli: Agent = {
  id: 'cline',
  name: 'Cline CLI',
  aliases: ['cline-cli'],
  folders: {
    provider: 'cline',
    project: ['.cline/skills', '.clinerules/skills'],
    global: [home('.cline/skills')],
  },
  native: {
    source: ran('3.0.65', '2026-11-16'),
    places: [
      inProject('cline', '.cline/skills', 'top'),
      inProject('cline', '.clinerules/skills', 'top'),
      inProject('agents', '.agents/skills', 'top'),
      atHome('cline', '~/.cline/skills'),
      sharedAtHome,
    ],
    traits: {
      listed: `below-root-skill hidden-folder mark large long-name name-letters long-description manual manual-spelling paths
        codex-policy`,
      lost: 'nested deep inside-another below-hidden file-name colon yaml',
    },
    // The model gets names, and no descriptions at all.
    listing: { most: 0, rooms: [], overflow: 'not known', overhead: ({ name }) => name.length + ', '.length },
    spares: ['name', 'description', 'front matter'],
  },
  setup: {
    global: [moved('CLINE_DIR', '.cline', 'data/settings/cline_mcp_settings.json')],
    traces: [moved('CLINE_DIR', '.cline', '')],
    programs: ['cline'],
    entry,
    isApp: false,
    names: lenient,
    client: { name: '@cline/core', protocol: '2024-11-05' },
  },
};

/** The VS Code extension, with a file of its own. */
export const clineInVscode: Agent = {
  id: 'cline-vscode',
  name: 'Cline in VS Code',
  aliases: ['cline'],
  setup: {
    global: [data(`${extension}/settings/cline_mcp_settings.json`)],
    traces: [data(extension)],
    entry,
    client: { name: 'Cline', protocol: '2025-06-18' },
    approval: { asks: 'Cline asks before it calls a tool, also to load a skill.', toolsIn: 'autoApprove' },
  },
};
