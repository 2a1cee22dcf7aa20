import { memoized } from '../core/maps.ts';
import { byText } from '../core/text/text.ts';
import { distinctName } from '../registry/resolve.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Location } from '../skill/types.ts';

/** A skill as models see it in the catalogue. */
export interface CatalogueSkill {
  /** Name that loads the skill. */
  readonly name: string;
  readonly description: string;
  readonly location: Location;
  readonly provider: string;
}

/** The skills that models see, by priority and then by name. */
export const catalogueOf = memoized((snapshot: Snapshot): readonly CatalogueSkill[] => {
  const sorted = [...snapshot.shownTo('models')].sort((a, b) => a.rank - b.rank || byText(a.fullName, b.fullName));
  return sorted.map((skill) => ({
    name: distinctName(snapshot, skill),
    description: skill.description,
    location: skill.location,
    provider: skill.provider,
  }));
});
