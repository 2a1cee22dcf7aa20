import { atHome, claude, claudeAtHome, config, inProject, only, read, shared, sharedAtHome } from '../rows.ts';
import type { Agent } from '../types.ts';

export const goose: Agent = {
  id: 'goose',
  name: 'Goose',
  folders: { provider: 'goose', project: ['.goose/skills'], global: [config('goose/skills')] },
  native: {
    source: read('source', '2026-04-03'),
    places: [
      inProject('goose', '.goose/skills'),
      claude,
      shared,
      sharedAtHome,
      atHome('goose', '~/.config/goose/skills'),
      claudeAtHome,
      atHome('agents', '~/.config/agents/skills'),
    ],
  },
  setup: {
    format: 'yaml',
    at: ['extensions'],
    global: [config('goose/config.yaml'), only('win32', 'data', 'Block/goose/config/config.yaml')],
    project: ['.goose/config.yaml'],
    traces: [config('goose'), only('win32', 'data', 'Block/goose')],
    programs: ['goose'],
    entry: {
      layout: 'extension',
      process: { type: 'stdio' },
      address: { type: 'streamable_http' },
      defaults: { enabled: true, timeout: 300 },
      urlKey: 'uri',
      variables: 'braces',
    },
    startKey: { key: 'timeout', unitMs: 1000 },
    client: { name: 'goose', protocol: '2025-03-26' },
  },
};
