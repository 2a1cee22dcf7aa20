import { ample, atHome, home, inProject, lenient, ran, sharedAtHome } from '../rows.ts';
import type { Agent } from '../types.ts';

export const kimi: Agent = {
  id: 'kimi-code-cli',
  name: 'Kimi Code',
  aliases: ['kimi-cli', 'kimi-code'],
  folders: { provider: 'kimi', aliases: ['kimi-code'], project: ['.kimi-code/skills'] },
  native: {
    source: ran('2.1.0', '2026-11-16'),
    places: [
      inProject('kimi', '.kimi-code/skills', 'top'),
      inProject('agents', '.agents/skills', 'top'),
      atHome('kimi', '~/.kimi-code/skills'),
      sharedAtHome,
    ],
    traits: {
      listed: `nested deep below-root-skill hidden-folder mark large types long-name name-letters name-signs long-description
        manual-spelling paths codex-policy`,
      lost: 'in-root inside-another below-hidden file-name colon yaml',
      manual: 'manual',
    },
    sameName: 'first',
    listing: { ...ample(120_000, 'a context of 200,000 tokens'), most: 250 },
    spares: [],
  },
  setup: {
    id: 'kimi',
    global: [home('.kimi-code/mcp.json')],
    traces: [home('.kimi-code')],
    programs: ['kimi'],
    entry: { process: { transport: 'stdio' }, address: { transport: 'http' }, urlKey: 'url', variables: null },
    isApp: false,
    names: lenient,
    client: { name: 'kimi', protocol: '2025-06-18' },
  },
};
