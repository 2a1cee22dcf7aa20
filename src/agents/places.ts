import { below, movable, xdgDir } from '../core/disk/paths.ts';
import { type Environment, variable } from '../core/environment.ts';
import type { Base, Place } from './types.ts';

/** The provider of the folders that agents share. */
export const sharedProvider = 'agents';

/** The path of a place on this machine; undefined where this system has none. */
export function pathOf([base, path, on]: Place, environment: Environment): string | undefined {
  if (on !== undefined && on !== environment.platform) return undefined;
  const folder = baseOf(base, environment);
  return path === '' ? folder : below(folder, path);
}

function baseOf(base: Base, environment: Environment): string {
  if (base === 'home') return environment.home;
  if (base === 'config') return xdgDir(environment, 'CONFIG');
  if (base === 'system') return environment.systemDir;
  if (base === 'data') return dataFolder(environment);
  return movable(environment, base.variable, base.fallback);
}

/** The folder where applications keep their settings. */
function dataFolder(environment: Environment): string {
  const { home, platform } = environment;
  if (platform === 'darwin') return below(home, 'Library/Application Support');
  if (platform === 'win32') return variable(environment, 'APPDATA') ?? below(home, 'AppData/Roaming');
  return xdgDir(environment, 'CONFIG');
}
