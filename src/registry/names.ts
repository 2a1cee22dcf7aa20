import { addTo } from '../core/maps.ts';
import { fold, normalize } from '../core/text/text.ts';
import { each, runSliced, runSync, type SlicedTask, type Slicer } from '../core/time-slice.ts';
import { calledName, hasOwnName, shortNameOf } from '../skill/name.ts';
import type { Skill } from '../skill/types.ts';
import type { Snapshot } from './snapshot.ts';

/** The ways to write a name, each giving all spellings of one skill that no way before it gives. */
const spellings = {
  full: (skill: Skill) => [skill.fullName, ...marketplaceNames(skill)],
  provider: (skill: Skill) => distinct([calledName(skill), skill.name]).map((name) => `${skill.provider}:${name}`),
  providerPlugin: (skill: Skill) => {
    const plugin = skill.plugin === null ? none : [skill.fullName, ...marketplaceNames(skill)];
    const folder = hasOwnName(skill) ? none : [`${skill.fullName}:${skill.name}`];
    return [...plugin, ...folder].map((name) => `${skill.provider}:${name}`);
  },
  // A skill that goes by another name is also found by its own, where nothing else has it.
  short: (skill: Skill) =>
    distinct([shortNameOf(skill.fullName), skill.name]).filter((name) => name !== skill.fullName),
} as const satisfies Record<string, (skill: Skill) => readonly string[]>;

const none: readonly string[] = [];

export type Spelling = keyof typeof spellings;

/** The names `plugin@marketplace:skill`, which tell apart skills that two marketplaces name the same. */
function marketplaceNames(skill: Skill): string[] {
  return skill.plugin?.includes('@') ? [`${skill.plugin}:${calledName(skill)}`] : [];
}

function distinct([first, second]: readonly [string, string]): readonly string[] {
  return first === second ? [first] : [first, second];
}

/** The skills that a name may mean. */
export interface Named {
  readonly skills: readonly Skill[];
  /** Whether the name is written as theirs is, rather than in other letter case. */
  readonly isExact: boolean;
}

/** The skills that go by a name in a certain spelling; exact matches exclude the others. */
export function skillsNamed(snapshot: Snapshot, spelling: Spelling, name: string): Named | null {
  const index = indexes.get(snapshot)?.get(spelling) ?? runSync(indexSteps(snapshot, spelling));
  const skills = index.get(fold(name));
  if (skills === undefined) return null;
  const written = normalize(name);
  const exact = skills.filter((skill) => spellings[spelling](skill).some((one) => normalize(one) === written));
  return exact.length > 0 ? { skills: exact, isExact: true } : { skills, isExact: false };
}

/** The skills of the same root that their authors gave the same name, of which only the first goes by it. */
export function namesakesOf(snapshot: Snapshot, skill: Skill): readonly Skill[] {
  return snapshot.skills.filter(
    (other) =>
      other !== skill && other.rank === skill.rank && other.name === skill.name && other.fullName !== skill.fullName,
  );
}

/** Skills by their folded names. Exact ones are found among these: an index of their own would double the memory. */
type NameIndex = ReadonlyMap<string, readonly Skill[]>;

/**
 * The indexes of each snapshot, built when first needed, and kept: a lookup costs a map access, not a walk over all
 * skills.
 */
const indexes = new WeakMap<Snapshot, Map<Spelling, NameIndex>>();

/** Builds every missing index that lookups will need. */
export function* allNames(snapshot: Snapshot): SlicedTask<void> {
  for (const spelling of Object.keys(spellings) as Spelling[]) {
    if (indexes.get(snapshot)?.has(spelling) !== true) yield* indexSteps(snapshot, spelling);
  }
}

function* indexSteps(snapshot: Snapshot, spelling: Spelling): SlicedTask<NameIndex> {
  const index = new Map<string, Skill[]>();
  const spell = spellings[spelling];
  yield* each(snapshot.skills, (skill) => {
    for (const name of spell(skill)) addTo(index, fold(name), skill);
  });
  const known = indexes.get(snapshot) ?? new Map<Spelling, NameIndex>();
  indexes.set(snapshot, known.set(spelling, index));
  return index;
}

/**
 * Works out, in time slices, the indexes that lookups in the next snapshot will need, and whether it differs from the
 * one before. Only long-lived processes need this, so it is loaded separately.
 */
export async function prepare(next: Snapshot, before: Snapshot, slicer: Slicer): Promise<void> {
  await runSliced(allNames(next), slicer);
  for (const snapshot of [before, next]) await runSliced(snapshot.digestSteps(), slicer);
}
