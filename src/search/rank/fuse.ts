import type { Steps } from '../../kernel/breath.ts';
import type { AskedWord } from '../text/asked.ts';
import type { Collection } from './collection.ts';
import { drawnTo, scoreMeaning } from './meaning.ts';
import { best } from './top.ts';
import { scoreWords, type WordMatch } from './words.ts';

/** What is asked for: words, and the direction they point in; null where nothing embeds. */
export interface Question {
  readonly words: readonly AskedWord[];
  readonly direction: Float32Array | null;
}

/** Which halves of the search decide. */
export type Halves = 'both' | 'words' | 'meaning';

export interface Ranking {
  /** By document, from 0; may pass 1 where a long query is matched by more than its strongest words. */
  readonly scores: Float32Array;
  readonly words: Float32Array;
  readonly meaning: Float32Array;
  readonly matches: readonly WordMatch[];
  /** The share of the score that meaning decides. */
  readonly share: number;
  /** What the scores of words were divided by. */
  readonly whole: number;
}

/** Found by trying on real skills in five languages; the optimum is flat. */
const meaningShare = 0.3;
const firstHits = 5;
const shareOf: Readonly<Record<Halves, number>> = { both: meaningShare, words: 0, meaning: 1 };

/** Below this a hit is as good as those of a query about something else entirely … */
const weakBelow = 0.2;
/** … unless the words of the query, such as those of another language, are ones that hardly any skill has. */
const foreign = { words: 3, known: 0.2, meaning: 0.5 } as const;

/** Whether a hit is no better than chance. */
export function isWeak({ scores, meaning, matches, share }: Ranking, document: number): boolean {
  if ((scores[document] as number) >= weakBelow) return false;
  const isForeign = share > 0 && matches.length >= foreign.words && knownShare(matches) < foreign.known;
  return !isForeign || (meaning[document] as number) < foreign.meaning;
}

/** How much of what is asked for is said by any skill, in these words. */
function knownShare(matches: readonly WordMatch[]): number {
  let [known, all] = [0, 0];
  for (const { worth, found } of matches) {
    all += worth;
    if (found.some(({ by }) => by === 'word')) known += worth;
  }
  return all === 0 ? 1 : known / all;
}

/**
 * Ranks by calibrated scores: both halves say how sure they are on a scale of their own, so that a half with nothing to
 * say does not push its guesses to the top, as it would if only places in a ranking were added up.
 */
export function* rank(collection: Collection, { words, direction }: Question, halves: Halves): Steps<Ranking> {
  const share = direction === null ? 0 : shareOf[halves];
  const { scores: byWords, matches, whole } = yield* scoreWords(collection, words);
  const fuse = (meaning: Float32Array) => fused(collection, byWords, meaning, share);
  if (direction === null || share === 0) {
    const meaning = new Float32Array(collection.documents);
    return { scores: fuse(meaning), words: byWords, meaning, matches, share, whole };
  }
  const first = best(fuse(yield* scoreMeaning(collection, direction)), firstHits);
  const doubt = Math.max(0, 1 - Math.max(0, ...first.map((document) => byWords[document] as number)));
  const drawn = drawnTo(collection, direction, { first, doubt, words: words.length });
  const meaning = yield* scoreMeaning(collection, drawn);
  return { scores: fuse(meaning), words: byWords, meaning, matches, share, whole };
}

function fused({ lives }: Collection, words: Float32Array, meaning: Float32Array, share: number): Float32Array {
  const scores = new Float32Array(words.length);
  for (let at = 0; at < scores.length; at++) {
    if (lives[at] !== 1) continue;
    const near = meaning[at] as number;
    // Nearness below zero counts as none. Half of all are, at random: a branch would be guessed wrong every other time.
    scores[at] = (share / 2) * (near + Math.abs(near)) + (1 - share) * (words[at] as number);
  }
  return scores;
}
