import { atHome, claude, claudeAtHome, home, inProject, read, shared } from '../rows.ts';
import type { Agent } from '../types.ts';

export const cursor: Agent = {
  id: 'cursor',
  name: 'Cursor',
  folders: { provider: 'cursor', project: ['.cursor/skills'] },
  native: {
    source: read('documentation', '2026-11-15'),
    places: [
      shared,
      inProject('cursor', '.cursor/skills'),
      claude,
      inProject('codex', '.codex/skills'),
      atHome('cursor', '~/.cursor/skills'),
      claudeAtHome,
      atHome('codex', '~/.codex/skills'),
    ],
  },
  setup: {
    global: [home('.cursor/mcp.json')],
    project: ['.cursor/mcp.json'],
    traces: [home('.cursor')],
    programs: ['cursor', 'cursor-agent'],
    entry: { urlKey: 'url', variables: 'env braces' },
    names: { pattern: /^[a-zA-Z0-9_]{1,60}$/, together: 60 },
    client: { name: 'cursor-vscode', protocol: '2025-06-18' },
    notes: ["Enable the server in Cursor's settings, under MCP."],
  },
};
