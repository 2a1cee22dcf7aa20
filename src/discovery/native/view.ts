import { normalize } from '../../kernel/text.ts';
import { each, type SlicedTask } from '../../kernel/time-slice.ts';
import type { Skill } from '../../skill/types.ts';
import type { Scan } from '../scan.ts';
import type { ListingUse } from './listing.ts';
import { createMeeting, type Loaded } from './meeting.ts';
import { ranksFor, rootsAbove } from './reach.ts';
import { labelFor, settleNames } from './same-name.ts';
import { covering } from './sights.ts';
import { type Skipped, skippedBy } from './skipped.ts';
import { tellOf } from './telling.ts';
import type { NativeAgent, Sight } from './types.ts';

/** What an agent, left to itself, makes of everything that was found. */
export interface NativeView {
  readonly agent: NativeAgent;
  /** One for each skill of the scan, in its order. */
  readonly sights: ReadonlyMap<Skill, Sight>;
  /** Files that we could make nothing of; some agents can. */
  readonly skipped: readonly Skipped[];
  /** Null where nothing is known of the agent's list. */
  readonly listing: ListingUse | null;
  /** What it need not be told of again: what it shows well enough, and copies of that. */
  readonly covered: ReadonlySet<Skill>;
}

export function* nativeSteps(agent: NativeAgent, scan: Scan): SlicedTask<NativeView> {
  // Every skill gets its place first, so that the order stays the scan's however they are settled.
  const sights = new Map<Skill, Sight>();
  const loaded: Loaded[] = [];
  const meet = createMeeting(agent, scan);
  yield* each(scan.skills, (skill) => {
    const met = meet(skill);
    sights.set(skill, 'place' in met ? pending : met);
    if ('place' in met) loaded.push(met);
  });
  const kept = settleNames(agent, loaded, sights);
  yield;
  const listing = tellOf(agent, kept, sights);
  yield;
  const rankOf = ranksFor(agent);
  const map = rootsAbove(scan);
  const isRead = (folder: string): boolean => map.reachesOf(folder, null).some(({ root }) => rankOf(root) >= 0);
  return { agent, sights, skipped: skippedBy(agent, scan, isRead), listing, covered: coveredBy(agent, sights) };
}

const pending: Sight = { state: 'unsure', sees: 'unknown', reason: '', characters: null };

function coveredBy(agent: NativeAgent, sights: ReadonlyMap<Skill, Sight>): ReadonlySet<Skill> {
  const shown = [...sights].filter(([, { state }]) => covering.has(state)).map(([skill]) => skill);
  const copies = new Set(shown.map((skill) => `${labelFor(agent, skill)}\0${skill.digest}`));
  const isCopy = ({ fullName, digest }: Skill): boolean => copies.has(`${normalize(fullName)}\0${digest}`);
  return new Set([...shown, ...[...sights.keys()].filter(isCopy)]);
}
