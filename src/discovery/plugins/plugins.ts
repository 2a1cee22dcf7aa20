import type { Environment } from '../../kernel/environment.ts';
import type { DiscoveryOptions } from '../roots.ts';
import { claudePlugins } from './claude.ts';
import type { PluginFindings } from './manifest.ts';
import { otherPlugins } from './others.ts';

export { pluginAdopter } from './claude.ts';

/** The roots of every installed plugin, of whichever agent. */
export async function findPlugins(options: DiscoveryOptions, environment: Environment): Promise<PluginFindings> {
  const claude = claudePlugins(options, environment);
  const others = await otherPlugins(environment);
  return {
    roots: [...claude.roots, ...others.roots],
    hidden: [...claude.hidden, ...others.hidden],
    diagnostics: [...claude.diagnostics, ...others.diagnostics],
  };
}
