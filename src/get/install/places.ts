import { dirname, join, resolve } from 'node:path';
import { pathOf } from '../../agents/places.ts';
import type { Agent } from '../../agents/types.ts';
import { isThere, realPathOf, realPathOrSelf } from '../../core/disk/files.ts';
import { below, expandPath, isInside } from '../../core/disk/paths.ts';
import { projectFolders } from '../../core/disk/project.ts';
import { type Environment, variable } from '../../core/environment.ts';

export type ScopeKind = 'project' | 'global';

/** A scope of installed skills: the folder that agents share, in a project or at home, and the lock file about it. */
export interface Scope {
  readonly kind: ScopeKind;
  /** The folder of the project, or home. */
  readonly base: string;
  readonly skills: string;
  readonly lockFile: string;
}

const sharedFolder = '.agents/skills';
const lockNames = { project: 'skills-lock.json', global: '.skill-lock.json' } as const;

/**
 * The scope for a command: in a project the nearest folder that has a lock file, or else the top of the repository. At
 * home there is no project.
 */
export function scopeFor(kind: ScopeKind, environment: Environment): Scope {
  const folders = projectFolders(environment);
  const lock = folders.find((folder) => isThere(join(folder, lockNames.project)));
  const base = lock ?? folders.at(-1) ?? environment.cwd;
  if (kind === 'global' || realPathOrSelf(base) === realPathOrSelf(environment.home)) return globalScope(environment);
  return { kind, base, skills: join(base, sharedFolder), lockFile: join(base, lockNames.project) };
}

function globalScope(environment: Environment): Scope {
  const { home } = environment;
  const state = variable(environment, 'XDG_STATE_HOME');
  const folder = state === undefined ? join(home, '.agents') : join(resolve(environment.cwd, state), 'skills');
  return {
    ...{ kind: 'global', base: home, skills: join(home, sharedFolder) },
    lockFile: join(folder, lockNames.global),
  };
}

/** The folder in which an agent must have a skill of its own; null where it reads the shared one by itself. */
function ownFolderOf(agent: Agent, scope: Scope, environment: Environment): string | null {
  const read = (agent.native?.places ?? []).filter(({ location }) => location === scope.kind);
  const shared = scope.kind === 'global' ? `~/${sharedFolder}` : sharedFolder;
  if (read.some(({ shown }) => shown === shared)) return null;
  const own = ownFolders(agent, scope, environment)[0] ?? read.map(({ shown }) => pathIn(shown, scope, environment))[0];
  return own === undefined || own === scope.skills ? null : own;
}

function ownFolders({ folders }: Agent, scope: Scope, environment: Environment): string[] {
  if (folders === undefined) return [];
  const inProject = folders.project.filter((path) => !path.endsWith('*')).map((path) => below(scope.base, path));
  if (scope.kind === 'project' || folders.global === undefined) return inProject;
  return folders.global.flatMap((place) => pathOf(place, environment) ?? []);
}

function pathIn(shown: string, { kind, base }: Scope, environment: Environment): string {
  return kind === 'global' ? expandPath(shown, environment) : below(base, shown);
}

/** The places of a skill in the folders of agents that need their own; two agents may have one folder. */
export function ownPlaces(
  agents: readonly Agent[],
  name: string,
  scope: Scope,
  environment: Environment,
): readonly { readonly agent: string; readonly path: string }[] {
  const places = new Map<string, string>();
  for (const agent of agents) {
    const own = ownFolderOf(agent, scope, environment);
    if (own === null || isSameFolder(own, scope.skills)) continue;
    const path = join(own, folderNameOf(name));
    if (!places.has(path)) places.set(path, agent.id);
  }
  return [...places].map(([path, agent]) => ({ agent, path }));
}

function isSameFolder(one: string, other: string): boolean {
  const [a, b] = [realPathOf(one), realPathOf(other)];
  return one === other || (a.ok && b.ok && a.value === b.value);
}

/**
 * Whether a folder of a project leads out of it, or will: a checkout could have us write anywhere. At home, people have
 * their folders where they like.
 */
export function leadsOut(folder: string, { kind, base }: Pick<Scope, 'kind' | 'base'>): boolean {
  if (kind === 'global') return false;
  const [real, home] = [realPathOf(folder), realPathOf(base)];
  if (!home.ok) return false;
  return real.ok ? !isInside(home.value, real.value) : folder !== base && leadsOut(dirname(folder), { kind, base });
}

/**
 * The name of a skill's folder: of the characters that the field's installer leaves in it, so that both mean the same
 * folder, and no name leads out.
 */
export function folderNameOf(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9._]+/g, '-');
  return plain.replace(/^[.-]+|[.-]+$/g, '').slice(0, 255) || 'unnamed-skill';
}
