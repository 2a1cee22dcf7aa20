import {
  atHome,
  claude,
  claudeAtHome,
  data,
  home,
  inProject,
  lenient,
  ofUser,
  read,
  shared,
  sharedAtHome,
} from '../rows.ts';
import type { Agent } from '../types.ts';

/** GitHub Copilot in VS Code. Copilot CLI has the same folders. */
export const vscode: Agent = {
  id: 'github-copilot',
  name: 'VS Code (GitHub Copilot)',
  aliases: ['copilot', 'vs-code', 'code'],
  folders: {
    provider: 'copilot',
    aliases: ['github-copilot', 'vscode'],
    project: ['.github/skills'],
    global: [home('.copilot/skills')],
    plugins: home('.copilot/installed-plugins'),
  },
  native: {
    source: read('source', '2026-11-15'),
    places: [
      inProject('copilot', '.github/skills'),
      shared,
      claude,
      atHome('copilot', '~/.copilot/skills'),
      sharedAtHome,
      claudeAtHome,
    ],
  },
  setup: {
    id: 'vscode',
    at: ['servers'],
    global: [data('Code/User/mcp.json')],
    project: ['.vscode/mcp.json'],
    traces: [data('Code')],
    programs: ['code'],
    entry: { process: { type: 'stdio' }, address: { type: 'http' }, urlKey: 'url', variables: 'env braces' },
    names: lenient,
    client: { name: 'Visual Studio Code', protocol: '2025-11-25' },
    // The entry is one argument, with its name in it.
    ownCommand: {
      stdio: (name, scope, { command, args }) =>
        ofUser(scope, ['code', '--add-mcp', JSON.stringify({ name, command, args })]),
      http: (name, scope, url) => ofUser(scope, ['code', '--add-mcp', JSON.stringify({ name, type: 'http', url })]),
      remove: () => null,
    },
    notes: ['VS Code asks whether you trust the server when it first starts it.'],
  },
};
