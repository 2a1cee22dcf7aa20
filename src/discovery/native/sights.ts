import type { Sees, Sight, SightState } from './types.ts';

const seesOf: Readonly<Record<SightState, Sees>> = {
  listed: 'yes',
  shortened: 'cut',
  bare: 'cut',
  omitted: 'cut',
  lost: 'no',
  hidden: 'no',
  rival: 'unknown',
  elsewhere: 'no',
  unsure: 'unknown',
};

/** States in which the agent's model has the skill, and enough to go by. */
export const covering: ReadonlySet<SightState> = new Set(['listed', 'shortened']);

export function sightOf(state: SightState, reason: string, characters: number | null = null): Sight {
  return { state, sees: seesOf[state], reason, characters };
}
