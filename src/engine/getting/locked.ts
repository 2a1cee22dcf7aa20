import { join } from 'node:path';
import type { Agent } from '../../agents/types.ts';
import { isThere } from '../../core/disk/files.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { type Lock, type LockEntry, readLock } from '../../get/install/lock-file.ts';
import { folderNameOf, ownPlaces, type Scope, scopeFor } from '../../get/install/places.ts';
import type { Incoming, Manner } from '../../get/install/plan.ts';
import { agentHas, isAsLocked } from '../../get/install/presence.ts';
import { scopeKind } from './input.ts';

/** The scope for what is already installed: the project's where it has a lock file, or else the user's. */
export function installedScope(
  input: { readonly project: boolean; readonly global: boolean },
  environment: Environment,
): Scope {
  const asked = scopeKind(input);
  const project = scopeFor('project', environment);
  return asked === 'global' || (asked === null && !isThere(project.lockFile))
    ? scopeFor('global', environment)
    : project;
}

/** The entries of these names; all of them where none is named. */
export function entriesNamed(lock: Lock, names: readonly string[]): readonly (readonly [string, LockEntry])[] {
  if (names.length === 0) return [...lock.entries];
  return names.map((name) => {
    const entry = lock.entries.get(name);
    if (entry !== undefined) return [name, entry];
    const problem = lock.problems.get(name);
    const message = `${oneLine(name)} is not in ${lock.scope.lockFile}`;
    if (problem === undefined) throw new SkillError('not-found', message, { suggestions: [...lock.entries.keys()] });
    throw new SkillError('config', `${lock.scope.lockFile}: the entry of ${oneLine(name)} cannot be used: ${problem}`);
  });
}

/** The manner in which a skill is installed, according to its entry. */
export async function mannerOf(
  scope: Scope,
  name: string,
  entry: LockEntry,
  environment: Environment,
): Promise<Manner> {
  const { repertoire } = entry;
  if (repertoire !== undefined) {
    const { agents: ids, copies = false } = repertoire;
    // One that this version does not know is left alone.
    const agents = ids.length === 0 ? [] : (await everyAgent()).filter(({ id }) => ids.includes(id));
    return { scope, agents, copies, preferred: null };
  }
  // Others do not write down who has it: whoever has a link or a copy does.
  const folder = join(scope.skills, folderNameOf(name));
  const having = new Set<string>();
  const all = await everyAgent();
  for (const { agent, path } of ownPlaces(all, name, scope, environment)) {
    const { state } = await agentHas(path, folder, entry);
    if (state === 'link' || state === 'copy') having.add(agent);
  }
  return { scope, agents: all.filter(({ id }) => having.has(id)), copies: false, preferred: null };
}

/** All agents, loaded where there is one: a check of a lock file that names none is made before every build in CI. */
async function everyAgent(): Promise<readonly Agent[]> {
  return (await import('../../agents/agents.ts')).agents;
}

/** Whether what a source has is what a lock file says, by our digest or by the hash of whoever wrote the entry. */
export function isSameAs(entry: LockEntry, { kept }: Incoming): boolean {
  return isAsLocked(entry, kept);
}

export { readLock };
