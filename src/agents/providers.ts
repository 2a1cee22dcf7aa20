import type { Environment } from '../core/environment.ts';
import { agentFolders } from './folders.ts';
import { pathOf } from './places.ts';

const canonical = new Map(
  agentFolders.flatMap(({ provider, aliases = [] }) => [provider, ...aliases].map((name) => [name, provider])),
);

/** The provider that a name or alias stands for, if it is one we know. */
export function knownProvider(name: string): string | undefined {
  return name === 'file' ? name : canonical.get(name);
}

/** The folders in which agents keep plugins, by provider. */
const plugins = new Map(
  agentFolders.flatMap((one) => (one.plugins === undefined ? [] : [[one.provider, one.plugins]])),
);

export function pluginFolders(environment: Environment): readonly string[] {
  return [...plugins.keys()].map((provider) => pluginFolder(provider, environment));
}

export function pluginFolder(provider: string, environment: Environment): string {
  const place = plugins.get(provider);
  const path = place && pathOf(place, environment);
  if (path === undefined) throw new Error(`no plugins of ${provider} are known`);
  return path;
}

/** The variables that move the folders of plugins, and the settings beside them. */
export const pluginVariables: readonly string[] = [...plugins.values()].flatMap(([base]) =>
  typeof base === 'string' ? [] : [base.variable],
);
