import { join } from 'node:path';
import { isThere } from '../../core/disk/files.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { type Lock, type LockEntry, readLock, sourceOf } from '../../get/install/lock-file.ts';
import { folderNameOf, type Scope, scopeFor } from '../../get/install/places.ts';
import { type Incoming, type Manner, ownPlaces } from '../../get/install/plan.ts';
import { agentHas, isAsLocked } from '../../get/install/presence.ts';
import { parseSource } from '../../get/sources/parse.ts';
import type { Fetched, FetchedSkill, Origin } from '../../get/sources/types.ts';
import type { Engine, Request } from '../engine.ts';
import { everyAgent, knownAgents } from './agents.ts';
import { bringIn, type Refused } from './bring-in.ts';
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
    const { agents, copies = false } = repertoire;
    return { scope, agents: knownAgents(agents), copies, preferred: null };
  }
  // Others do not write down who has it: whoever has a link or a copy does.
  const folder = join(scope.skills, folderNameOf(name));
  const having = new Set<string>();
  for (const { agent, path } of ownPlaces(everyAgent, name, scope, environment)) {
    const { state } = await agentHas(path, folder, entry);
    if (state === 'link' || state === 'copy') having.add(agent);
  }
  return { scope, agents: knownAgents([...having]), copies: false, preferred: null };
}

export interface Locked {
  readonly incoming: readonly Incoming[];
  readonly refused: readonly Refused[];
}

export interface LockedErrand {
  readonly offline: boolean;
  /** Whether the very state in the lock file is fetched, and not the newest. */
  readonly isPinned: boolean;
}

/** Fetches skills that are in a lock file, those of one source together. What cannot be had costs the others nothing. */
export async function bringLocked(
  engine: Engine,
  entries: readonly (readonly [string, LockEntry])[],
  scope: Scope,
  { offline, isPinned }: LockedErrand,
  request: Request,
): Promise<Locked> {
  const incoming: Incoming[] = [];
  const refused: Refused[] = [];
  for (const group of groupsOf(entries, scope, isPinned)) {
    try {
      const source = parseSource(group.text, engine.environment, group.ref);
      const choose = (fetched: Fetched): readonly FetchedSkill[] =>
        group.wanted.flatMap(({ name, path }) => {
          const found =
            fetched.skills.find((skill) => (skill.origin.path ?? '') === path) ?? theOneNamed(fetched, name);
          if (found !== undefined) return [{ ...found, name }];
          refused.push({ name, reason: `${oneLine(group.text)} does not have it any more` });
          return [];
        });
      const only = group.wanted.map(({ name }) => name);
      const brought = await bringIn(engine, { source, offline, only, pinned: group.pinned, choose }, request);
      incoming.push(...brought.incoming);
      const names = new Set(group.wanted.map(({ name }) => name));
      refused.push(...brought.refused.filter(({ name }) => names.has(name)));
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      refused.push(...group.wanted.map(({ name }) => ({ name, reason: error.message })));
    }
  }
  return { incoming, refused };
}

function theOneNamed({ skills }: Fetched, name: string): FetchedSkill | undefined {
  const named = skills.filter((skill) => skill.name === name);
  return named.length === 1 ? named[0] : undefined;
}

interface Group {
  readonly text: string;
  readonly ref: string | undefined;
  readonly pinned: Origin | undefined;
  readonly wanted: { readonly name: string; readonly path: string | undefined }[];
}

function groupsOf(entries: readonly (readonly [string, LockEntry])[], scope: Scope, isPinned: boolean): Group[] {
  const groups = new Map<string, Group>();
  for (const [name, entry] of entries) {
    const { text, ref, pinned, path } = sourceOf(scope, entry);
    const { path: _, ...state } = pinned ?? { path };
    const pin = isPinned && pinned !== undefined ? (state as Origin) : undefined;
    const key = JSON.stringify([text, ref, pin]);
    const group = groups.get(key) ?? { text, ref, pinned: pin, wanted: [] };
    group.wanted.push({ name, path });
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Whether what a source has is what a lock file says, by our digest or by the hash of whoever wrote the entry. */
export function isSameAs(entry: LockEntry, { kept }: Incoming): boolean {
  return isAsLocked(entry, kept);
}

export { readLock };
