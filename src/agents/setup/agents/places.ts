import { delimiter, isAbsolute, join, normalize } from 'node:path';
import { isProgram, isThere } from '../../../core/disk/files.ts';
import { projectFolders } from '../../../core/disk/project.ts';
import { type Environment, variable } from '../../../core/environment.ts';
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

/** The evidence that an agent is installed: a path of its own, or its program. Null where there is none. */
export function detectedBy(agent: SetupAgent, environment: Environment): string | null {
  const traces = agent.traces.flatMap((place) => pathOf(place, environment) ?? []);
  const trace = traces.find(isThere);
  if (trace !== undefined) return trace.replace(/[\\/]$/, '');
  for (const program of agent.programs) {
    const found = programOnPath(program, environment);
    if (found !== undefined) return found;
  }
  return null;
}

/** The path of a program, as a shell would find it. It is not resolved: links to programs outlive their targets. */
export function programOnPath(program: string, environment: Environment): string | undefined {
  const endings = environment.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  const folders = (variable(environment, 'PATH') ?? '').split(delimiter).filter(isAbsolute);
  return folders
    .flatMap((folder) => endings.map((ending) => join(folder, program + ending)))
    .find((path) => isProgram(path));
}
