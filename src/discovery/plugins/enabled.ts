import { dirname, join } from 'node:path';
import { type Diagnostic, diagnostic } from '../../kernel/diagnostics.ts';
import { objectOf, readJson } from '../../kernel/documents.ts';
import type { Environment } from '../../kernel/environment.ts';
import { isTrusted, projectFolders } from '../../kernel/project.ts';

/** What a settings file says of a plugin. */
export interface Switch {
  readonly enabled: boolean;
  readonly file: string;
}

/** Claude Code's `enabledPlugins`, by `plugin@marketplace`: the strongest file that speaks of a plugin decides. */
export function enabledPlugins(
  configDir: string,
  environment: Environment,
  diagnostics: Diagnostic[],
): Map<string, Switch> {
  const switches = new Map<string, Switch>();
  for (const file of settingsFiles(configDir, environment)) {
    const read = readJson(file);
    if (read.kind === 'invalid') {
      const message = `enabledPlugins cannot be read: the file is ${read.message}`;
      diagnostics.push(diagnostic('plugin-file-invalid', file, message, 'Correct the file.', read.at));
    }
    for (const [key, enabled] of Object.entries(objectOf(read, 'enabledPlugins'))) {
      if (typeof enabled === 'boolean' && !switches.has(key)) switches.set(key, { enabled, file });
    }
  }
  return switches;
}

/** Strongest first: the machine's managers, this checkout, the project, the user. */
function settingsFiles(configDir: string, environment: Environment): Set<string> {
  const managed =
    environment.platform === 'darwin'
      ? '/Library/Application Support/ClaudeCode/managed-settings.json'
      : join(environment.systemDir, 'claude-code', 'managed-settings.json');
  const projects = projectFolders(environment).map((folder) => join(folder, '.claude'));
  const inProjects = ['settings.local.json', 'settings.json'].flatMap((name) =>
    projects.map((folder) => join(folder, name)),
  );
  return new Set([
    managed,
    ...inProjects.filter((file) => isTrusted(dirname(file), environment) && isTrusted(file, environment)),
    join(configDir, 'settings.json'),
  ]);
}
