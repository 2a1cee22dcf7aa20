import { join } from 'node:path';
import type { Environment } from '../environment.ts';
import { xdgDir } from './paths.ts';

/** The folder of files that people write: settings, the operator's policy, secrets. */
export function configFolder(environment: Environment): string {
  return join(xdgDir(environment, 'CONFIG'), 'repertoire');
}

/** The folder of data that we keep and must not lose: grants, the audit log, jobs. */
export function stateFolder(environment: Environment): string {
  return join(xdgDir(environment, 'STATE'), 'repertoire');
}
