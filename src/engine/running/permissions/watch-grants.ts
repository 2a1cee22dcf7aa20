import { join } from 'node:path';
import { statOf } from '../../../core/disk/files.ts';
import { stateFolder } from '../../../core/disk/own-folders.ts';
import type { Environment } from '../../../core/environment.ts';
import { grantFile, grantsFolder } from '../../../run/policy/grants.ts';

/** Milliseconds between checks: polling this often is cheaper than being notified, and works on every file system. */
const lookMs = 500;

/**
 * The state of the grants: another text after each grant and revocation, after an edit of this skill's file, and after
 * a scan has blocked a version.
 */
export function stateOfGrants(environment: Environment, skill?: string): string {
  const blocked = join(stateFolder(environment), 'blocked');
  const paths = [grantsFolder(environment), blocked, ...(skill === undefined ? [] : [grantFile(environment, skill)])];
  return paths.map((path) => changeOf(path)).join(' ');
}

function changeOf(path: string): string {
  const stats = statOf(path);
  return stats.ok ? `${stats.value.ino}-${stats.value.ctimeMs}` : 'none';
}

/**
 * Calls back when anybody grants or revokes something: at a terminal, through an agent, or here. Returns a function
 * that ends it.
 */
export function watchGrants(environment: Environment, changed: () => void, skill?: string, since?: string): () => void {
  let last = since ?? stateOfGrants(environment, skill);
  const timer = setInterval(() => {
    const now = stateOfGrants(environment, skill);
    if (now !== last) changed();
    last = now;
  }, lookMs).unref();
  return () => clearInterval(timer);
}
