import { data, read } from '../rows.ts';
import type { Agent } from '../types.ts';

export const claudeDesktop: Agent = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  native: { source: read('documentation', '2026-11-15'), places: [] },
  setup: {
    global: [data('Claude/claude_desktop_config.json')],
    traces: [data('Claude')],
    entry: { urlKey: null, variables: null },
    client: { name: 'claude-ai', protocol: '2025-06-18' },
    notes: ['Quit and restart Claude Desktop.'],
  },
};
