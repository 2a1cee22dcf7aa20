import type { Steps } from '../../kernel/breath.ts';
import type { Automaton } from '../passage/automaton.ts';
import { excerptAround, excerptLength } from '../passage/excerpt.ts';
import { windowInSteps } from '../passage/window.ts';
import { type Folded, writtenPlace } from '../text/folded.ts';
import type { Searchable } from './match.ts';

/** What tells most about a skill comes first: of parts that hold equally many tokens together, it is shown. */
const order: readonly (keyof Searchable)[] = ['description', 'body', 'metadata', 'names'];

/** The stretch of a skill that holds the most of the different tokens. */
export function* excerptOf(tokens: Automaton, skill: Searchable<Folded>): Steps<string> {
  const weights = Array.from(tokens.lengths, () => 1);
  let best = { part: skill.description, from: 0, to: 0, weight: 0 };
  for (const part of order) {
    if (best.weight === weights.length) break;
    const window = yield* windowInSteps(tokens, weights, skill[part].text, excerptLength);
    if (window.weight > best.weight) best = { part: skill[part], ...window };
  }
  const { part, from, to } = best;
  return excerptAround(part.written, writtenPlace(part, from), to === 0 ? 0 : writtenPlace(part, to - 1) + 1);
}
