import { runSync, type SlicedTask } from '../../core/time-slice.ts';
import type { Range } from '../markdown/plain.ts';
import { type Automaton, scan } from '../passage/automaton.ts';
import { excerptAround, excerptLength, passageAround } from '../passage/excerpt.ts';
import { windowInSteps } from '../passage/window.ts';
import { type Folded, writtenPlace } from '../text/folded.ts';
import type { Searchable } from './match.ts';

/** Parts of a skill, most telling first: of parts that hold equally many tokens together, the first is shown. */
const order: readonly (keyof Searchable)[] = ['description', 'body', 'metadata', 'names'];
/** Parts that are written in Markdown. */
const marked: ReadonlySet<keyof Searchable> = new Set(['description', 'body']);

/** The stretch of a skill that holds the most of the different tokens. */
export function* excerptOf(tokens: Automaton, skill: Searchable<Folded>): SlicedTask<string> {
  const weights = Array.from(tokens.lengths, () => 1);
  let best = { name: order[0] as keyof Searchable, from: 0, to: 0, weight: 0 };
  for (const name of order) {
    if (best.weight === weights.length) break;
    const window = yield* windowInSteps(tokens, weights, skill[name].text, excerptLength);
    if (window.weight > best.weight) best = { name, ...window };
  }
  const part = skill[best.name];
  const { from, to } = writtenRange(part, best);
  if (!marked.has(best.name)) return excerptAround(part.written, from, to);
  return passageAround(
    part.written,
    from,
    to,
    placesIn(tokens, part.text, best).map((place) => writtenRange(part, place)),
  );
}

function writtenRange(part: Folded, { from, to }: Range): Range {
  return { from: writtenPlace(part, from), to: to === 0 ? 0 : writtenPlace(part, to - 1) + 1 };
}

/** The places of tokens in a stretch of a folded text, overlapping ones merged. */
function placesIn(tokens: Automaton, text: string, { from, to }: Range): Range[] {
  const places: Range[] = [];
  const visit = (token: number, end: number) => {
    let start = from + end - (tokens.lengths[token] ?? 0);
    while ((places.at(-1)?.to ?? -1) > start) start = Math.min(start, (places.pop() as Range).from);
    places.push({ from: start, to: from + end });
    return 'more' as const;
  };
  runSync(scan(tokens, text.slice(from, to), visit));
  return places;
}
