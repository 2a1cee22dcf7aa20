import { join } from 'node:path';
import { type Environment, variable } from '../../kernel/environment.ts';
import { isThere } from '../../kernel/files.ts';
import { movable, xdgDir } from '../../kernel/paths.ts';
import { projectFolders } from '../../kernel/project.ts';
import type { Place, Scope, SetupAgent } from './types.ts';

/** Where a place is on this machine; undefined where this system has none such. */
export function pathOf({ base, path, on }: Place, environment: Environment): string | undefined {
  if (on !== undefined && on !== environment.platform) return undefined;
  if (base === 'home') return join(environment.home, path);
  if (base === 'config') return join(xdgDir(environment, 'CONFIG'), path);
  if (base === 'data') return join(dataFolder(environment), path);
  return join(movable(environment, base.variable, base.fallback), path);
}

/** Where applications keep what they are told. */
function dataFolder(environment: Environment): string {
  const { home, platform } = environment;
  if (platform === 'darwin') return join(home, 'Library/Application Support');
  if (platform === 'win32') return variable(environment, 'APPDATA') ?? join(home, 'AppData/Roaming');
  return xdgDir(environment, 'CONFIG');
}

/** The repository's root, or the working directory where there is none. */
export function projectFolder(environment: Environment): string {
  return projectFolders(environment).at(-1) ?? environment.cwd;
}

/** The file in which an agent has its servers: of those it reads, the one that is there. Null where it has none. */
export function fileOf(agent: SetupAgent, scope: Scope, environment: Environment): string | null {
  const paths =
    scope === 'project'
      ? agent.project.map((path) => join(projectFolder(environment), path))
      : agent.global.flatMap((place) => pathOf(place, environment) ?? []);
  return paths.find(isThere) ?? paths.at(-1) ?? null;
}
