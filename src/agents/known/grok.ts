import { atHome, inProject, installed, moved } from '../rows.ts';
import type { Agent } from '../types.ts';
import { codexEntry } from './codex.ts';

export const grok: Agent = {
  id: 'grok',
  name: 'Grok Build',
  folders: { provider: 'grok', project: ['.grok/skills'], global: [moved('GROK_HOME', '.grok', 'skills')] },
  native: installed(inProject('grok', '.grok/skills'), atHome('grok', '~/.grok/skills')),
  setup: {
    format: 'toml',
    at: ['mcp_servers'],
    global: [moved('GROK_HOME', '.grok', 'config.toml')],
    traces: [moved('GROK_HOME', '.grok', '')],
    programs: ['grok'],
    entry: { ...codexEntry, variables: null },
    isApp: false,
    startMs: 10_000,
    startKey: { key: 'startup_timeout_sec', unitMs: 1000 },
    client: { name: 'grok', protocol: '2025-06-18' },
  },
};
