import { each, type Steps } from '../../kernel/breath.ts';
import { normalize } from '../../kernel/text.ts';
import type { Skill } from '../../skill/types.ts';
import type { Scan } from '../scan.ts';
import type { ListingUse } from './listing.ts';
import { createMeeting, type Loaded } from './meeting.ts';
import { ranksFor, rootsAbove } from './reach.ts';
import { settleNames } from './same-name.ts';
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
  /** Null where the agent has no known limit. */
  readonly listing: ListingUse | null;
  /** What it need not be told of again: what it shows well enough, and whatever else has that name. */
  readonly covered: ReadonlySet<Skill>;
}

export function* nativeSteps(agent: NativeAgent, scan: Scan): Steps<NativeView> {
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
  return { agent, sights, skipped: skippedBy(agent, scan, isRead), listing, covered: coveredBy(sights) };
}

const pending: Sight = { state: 'unsure', sees: 'unknown', reason: '', characters: null };

function coveredBy(sights: ReadonlyMap<Skill, Sight>): ReadonlySet<Skill> {
  const names = new Set<string>();
  for (const [skill, { state }] of sights) if (covering.has(state)) names.add(normalize(skill.fullName));
  return new Set([...sights.keys()].filter(({ fullName }) => names.has(normalize(fullName))));
}
