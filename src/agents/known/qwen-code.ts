import { ample, atHome, inProject, lenient, moved, ran, sharedAtHome } from '../rows.ts';
import type { Agent } from '../types.ts';
import { geminiCommand, geminiEntry } from './gemini-cli.ts';

export const qwenCode: Agent = {
  id: 'qwen-code',
  name: 'Qwen Code',
  aliases: ['qwen'],
  folders: { provider: 'qwen', aliases: ['qwen-code'], project: ['.qwen/skills'] },
  native: {
    source: ran('0.24.4', '2026-11-16'),
    places: [
      inProject('qwen', '.qwen/skills', 'start'),
      inProject('agents', '.agents/skills', 'start'),
      atHome('qwen', '~/.qwen/skills'),
      sharedAtHome,
    ],
    traits: {
      listed: 'below-root-skill hidden-folder mark large colon long-name long-description codex-policy',
      lost: 'in-root nested deep inside-another below-hidden file-name paths',
      manual: 'manual',
    },
    sameName: 'first',
    listing: ample(140_000, 'a model that it does not know'),
    spares: [],
  },
  setup: {
    global: [moved('QWEN_HOME', '.qwen', 'settings.json')],
    project: ['.qwen/settings.json'],
    alsoReads: ['.mcp.json'],
    traces: [moved('QWEN_HOME', '.qwen', '')],
    programs: ['qwen'],
    entry: geminiEntry,
    isApp: false,
    names: lenient,
    client: { name: 'qwen-cli-mcp-client', protocol: '2025-11-25' },
    ownCommand: geminiCommand('qwen'),
    approval: {
      asks: 'Qwen Code asks before it calls a tool, and qwen -p refuses those it would ask about. Its file approves all tools of a server or none.',
      allBy: ['trust', true],
    },
  },
};
