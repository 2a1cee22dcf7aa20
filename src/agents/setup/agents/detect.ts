import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isThere } from '../../../core/disk/files.ts';
import { type Environment, variable } from '../../../core/environment.ts';
import { pathOf } from './places.ts';
import type { SetupAgent } from './types.ts';

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

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
