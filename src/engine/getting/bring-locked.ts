import { SkillError } from '../../core/errors.ts';
import { getOrInsert } from '../../core/maps.ts';
import { oneLine } from '../../core/text/text.ts';
import { type LockEntry, sourceOf } from '../../get/install/lock-file.ts';
import type { Scope } from '../../get/install/places.ts';
import type { Incoming } from '../../get/install/plan.ts';
import { parseSource } from '../../get/sources/parse.ts';
import type { Fetched, FetchedSkill, Origin } from '../../get/sources/types.ts';
import type { Engine, Request } from '../engine.ts';
import { bringIn, type Refused } from './bring-in.ts';

export interface Locked {
  readonly incoming: readonly Incoming[];
  readonly refused: readonly Refused[];
}

export interface LockedErrand {
  /** Whether the very state in the lock file is fetched, and not the newest. */
  readonly isPinned: boolean;
}

/** Fetches skills that are in a lock file, those of one source together. What cannot be had costs the others nothing. */
export async function bringLocked(
  engine: Engine,
  entries: readonly (readonly [string, LockEntry])[],
  scope: Scope,
  { isPinned }: LockedErrand,
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
      const brought = await bringIn(engine, { source, only, pinned: group.pinned, choose }, request);
      await brought.dispose();
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
    getOrInsert(groups, key, () => ({ text, ref, pinned: pin, wanted: [] })).wanted.push({ name, path });
  }
  return [...groups.values()];
}
