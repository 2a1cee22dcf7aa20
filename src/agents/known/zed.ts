import { config, only, read, shared, sharedAtHome } from '../rows.ts';
import type { Agent } from '../types.ts';

export const zed: Agent = {
  id: 'zed',
  name: 'Zed',
  native: { source: read('source', '2026-11-15'), places: [shared, sharedAtHome] },
  setup: {
    at: ['context_servers'],
    global: [
      only('darwin', 'data', 'Zed/settings.json'),
      config('zed/settings.json'),
      only('win32', 'data', 'Zed/settings.json'),
    ],
    project: ['.zed/settings.json'],
    traces: [config('zed'), only('win32', 'data', 'Zed'), only('darwin', 'data', 'Zed')],
    programs: ['zed', 'zeditor'],
    entry: { process: { source: 'custom' }, address: { source: 'custom' }, urlKey: 'url', variables: null },
    client: { name: 'Zed', protocol: '2025-03-26' },
  },
};
