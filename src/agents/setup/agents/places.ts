import { join, normalize } from 'node:path';
import { isThere } from '../../../core/disk/files.ts';
import { projectFolders } from '../../../core/disk/project.ts';
import type { Environment } from '../../../core/environment.ts';
import { pathOf as placePath } from '../../places.ts';
import type { Place } from '../../types.ts';
import type { Scope, SetupAgent } from './types.ts';

/** The path of a place on this machine, as the system writes it; undefined where this system has none. */
export function pathOf(place: Place, environment: Environment): string | undefined {
  const path = placePath(place, environment);
  return path === undefined ? undefined : normalize(path);
}

/** The repository's root, or the working directory where there is none. */
export function projectFolder(environment: Environment): string {
  return projectFolders(environment).at(-1) ?? environment.cwd;
}

/** The file in which an agent has its servers: the one that exists among those it reads. Null where it has none. */
export function fileOf(agent: SetupAgent, scope: Scope, environment: Environment): string | null {
  const paths =
    scope === 'project'
      ? agent.project.map((path) => join(projectFolder(environment), path))
      : agent.global.flatMap((place) => pathOf(place, environment) ?? []);
  return paths.find(isThere) ?? paths.at(-1) ?? null;
}
