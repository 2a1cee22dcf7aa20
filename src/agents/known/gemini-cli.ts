import { dirname } from 'node:path';
import { isInside } from '../../core/disk/paths.ts';
import { isObject } from '../../core/formats/documents.ts';
import { ample, atHome, home, inProject, lenient, plugins, ran, read, sharedAtHome, userOr } from '../rows.ts';
import type { Agent, EntryStyle, OwnCommand } from '../types.ts';

export const geminiEntry: EntryStyle = { urlKey: 'httpUrl', variables: 'braces' };

/** The command of Gemini CLI, and of programs derived from it. */
export const geminiCommand = (program: string): OwnCommand => ({
  stdio: (name, scope, { command, args }) => [
    ...[program, 'mcp', 'add', '--scope', userOr(scope), name],
    ...[command, ...args],
  ],
  http: (name, scope, url) => [program, 'mcp', 'add', '--scope', userOr(scope), '--transport', 'http', name, url],
  remove: (name, scope) => [program, 'mcp', 'remove', '--scope', userOr(scope), name],
});

export const geminiCli: Agent = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  aliases: ['gemini'],
  folders: {
    provider: 'gemini',
    aliases: ['gemini-cli'],
    project: ['.gemini/skills'],
    plugins: home('.gemini/extensions'),
  },
  native: {
    source: ran('0.61.0', '2026-11-16'),
    places: [
      inProject('agents', '.agents/skills', 'start'),
      inProject('gemini', '.gemini/skills', 'start'),
      sharedAtHome,
      atHome('gemini', '~/.gemini/skills'),
      plugins('gemini', read('documentation', '2026-08-21')),
    ],
    traits: {
      listed: `in-root below-root-skill large colon types long-name name-letters name-signs long-description manual
        manual-spelling paths codex-policy`,
      lost: 'nested deep inside-another hidden-folder below-hidden file-name mark',
    },
    sameName: 'first',
    listing: ample(140_000, 'Gemini 2.5 Flash'),
    spares: [],
  },
  setup: {
    global: [home('.gemini/settings.json')],
    project: ['.gemini/settings.json'],
    traces: [home('.gemini/settings.json')],
    programs: ['gemini'],
    entry: geminiEntry,
    isApp: false,
    toolNames: 'documented',
    names: lenient,
    client: { name: 'gemini-cli-mcp-client', protocol: '2025-11-25' },
    ownCommand: geminiCommand('gemini'),
    approval: {
      asks: 'Gemini CLI asks before it calls a tool, and gemini -p lists none that it would ask about. Its file approves all tools of a server or none.',
      allBy: ['trust', true],
    },
    trust: {
      scopes: ['global', 'project'],
      file: home('.gemini/trustedFolders.json'),
      format: 'json',
      at: (folder) => [folder],
      value: 'TRUST_FOLDER',
      // Trust in a folder counts for everything below it; trust in the parent of one, for everything beside it.
      isInherited: (settings, folder) =>
        isObject(settings) &&
        Object.entries(settings).some(
          ([path, level]) =>
            (level === 'TRUST_FOLDER' && isInside(path, folder)) ||
            (level === 'TRUST_PARENT' && isInside(dirname(path), folder)),
        ),
    },
  },
};
