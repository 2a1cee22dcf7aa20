import { join } from 'node:path';
import type { Environment } from '../environment.ts';
import { isKebabName } from '../text/text.ts';
import { xdgDir } from './paths.ts';

/** The folder of files that people write: settings, the operator's policy, secrets. */
export function configFolder(environment: Environment): string {
  return join(xdgDir(environment, 'CONFIG'), 'repertoire');
}

/** The folder of data that we keep and must not lose: grants, the audit log, jobs. */
export function stateFolder(environment: Environment): string {
  return join(xdgDir(environment, 'STATE'), 'repertoire');
}

/** The folder of remotes: a folder for each, with what is known of it and the skills that it had when it was last asked. */
export function remotesFolder(environment: Environment): string {
  return join(stateFolder(environment), 'remotes');
}

/** Whether a folder there is that of a remote; whatever else lies there is half-made, or not ours. */
export function isRemoteName(name: string): boolean {
  return isKebabName(name);
}

/**
 * The folder of a channel of a cluster: a link for each skill of its catalogue, to the copy that is kept by its digest.
 */
export function channelFolder(environment: Environment, cluster: string, channel: string): string {
  return join(stateFolder(environment), 'clusters', cluster, channel);
}
