import { dirname } from 'node:path';
import { pluginFolder, pluginFolders } from '../agents/providers.ts';
import { type Environment, variable } from '../kernel/environment.ts';
import { isThere } from '../kernel/files.ts';
import { below } from '../kernel/paths.ts';
import { projectFolders } from '../kernel/project.ts';
import type { DiscoveryOptions } from './roots.ts';

/** Where Claude Code and Codex keep what is theirs; both can be moved. */
export function claudeFolder(environment: Environment): string {
  return dirname(pluginFolder('claude', environment));
}

export function codexFolder(environment: Environment): string {
  return dirname(pluginFolder('codex', environment));
}

/** The variable that moves Claude Code's plugins alone. */
export const cacheVariable = 'CLAUDE_CODE_PLUGIN_CACHE_DIR';

/** Where Claude Code's plugins were moved to, by the user or by that variable. */
export function movedPlugins({ pluginsRoot }: DiscoveryOptions, environment: Environment): string | undefined {
  return pluginsRoot ?? variable(environment, cacheVariable);
}

/** Whether there is any place in which plugins are kept. A few looks tell, and save loading all that reads them. */
export function mayHavePlugins(options: DiscoveryOptions, environment: Environment): boolean {
  if (options.pluginsFile !== undefined || movedPlugins(options, environment) !== undefined) return true;
  const shared = [...projectFolders(environment), environment.home].map((folder) => below(folder, '.agents/plugins'));
  return [...pluginFolders(environment), ...shared].some(isThere);
}
