import { type Environment, variable } from '../kernel/environment.ts';
import { isThere } from '../kernel/files.ts';
import { below, movable } from '../kernel/paths.ts';
import { projectFolders } from '../kernel/project.ts';
import type { DiscoveryOptions } from './roots.ts';

/** Where Claude Code and Codex keep what is theirs; both can be moved. */
export function claudeFolder(environment: Environment): string {
  return movable(environment, 'CLAUDE_CONFIG_DIR', '.claude');
}

export function codexFolder(environment: Environment): string {
  return movable(environment, 'CODEX_HOME', '.codex');
}

/** Whether there is any place in which plugins are kept. A few looks tell, and save loading all that reads them. */
export function mayHavePlugins(options: DiscoveryOptions, environment: Environment): boolean {
  const moved = variable(environment, 'CLAUDE_CODE_PLUGIN_CACHE_DIR');
  if (options.pluginsFile !== undefined || options.pluginsRoot !== undefined || moved !== undefined) return true;
  const { home } = environment;
  return [
    below(claudeFolder(environment), 'plugins'),
    below(codexFolder(environment), 'plugins'),
    below(home, '.gemini/extensions'),
    below(home, '.copilot/installed-plugins'),
    ...[...projectFolders(environment), home].map((folder) => below(folder, '.agents/plugins')),
  ].some(isThere);
}
