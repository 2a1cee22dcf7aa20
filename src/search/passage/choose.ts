import { memoized } from '../../core/maps.ts';
import { oneLine } from '../../core/text/text.ts';
import type { SkillText } from '../index/document.ts';
import { proseIn, type Range } from '../markdown/plain.ts';
import type { WordMatch } from '../rank/words.ts';
import { excerptAround, excerptLength, passageAround } from './excerpt.ts';
import { createSlide, type Window } from './window.ts';

/** Number of needles: the strongest forms of the strongest words; hundreds would say no more. */
const mostNeedles = 32;
/** Share of the found words that makes a description good enough without comparing it with the text. */
const enoughShare = 0.75;
/** Number of sentences that are compared with a question by their meaning. */
const mostSentences = 6;
const shortestSentence = 20;
const shortestNeedle = 4;

/** The text that a passage is chosen from. */
export type ShownText = Pick<SkillText, 'description' | 'body'>;

/** Chooses, for one question, the passage to show of each skill that was found. */
export interface PassageChooser {
  /** The stretch that holds the most of the words that were found; null if none of them is there. */
  byWords(text: ShownText): string | null;
  /** The sentence nearest to the question. */
  byMeaning(text: ShownText, near: (sentence: string) => Promise<number>): Promise<string>;
}

export function choosePassages(matches: readonly WordMatch[]): PassageChooser {
  const needles = needlesFor(matches);
  const weights = [...needles.values()];
  const numbers = new Map([...needles.keys()].map((text, number) => [text, number]));
  const pattern = patternOf([...needles.keys()]);
  const enough = enoughShare * matches.reduce((sum, { worth, found }) => sum + (found.length > 0 ? worth : 0), 0);

  /** Finds the stretch of a text whose needles weigh most. */
  function bestIn(text: string): Window {
    let best: Window = { from: 0, to: 0, weight: 0 };
    let slide: ReturnType<typeof createSlide> | undefined;
    const starts: number[] = [];
    for (const { 0: found, index } of text.matchAll(pattern)) {
      const number = numbers.get(found.toLowerCase());
      if (number === undefined) continue; // same letters in another form, as few languages have them
      starts.push(index);
      slide ??= createSlide(weights, excerptLength);
      const stretch = slide.add(number, index, index + found.length);
      if (stretch.weight > best.weight) best = stretch;
    }
    // The window is as tight as possible: the excerpt shows what stands around it.
    return { ...best, from: starts.find((start) => start >= best.from) ?? best.from };
  }

  /** The places of needles in a stretch: marks that hold one are shown. */
  function foundIn(text: string, from: number, to: number): Range[] {
    const found = text.slice(from, to).matchAll(pattern);
    return Array.from(found, ({ 0: needle, index }) => ({ from: from + index, to: from + index + needle.length }));
  }

  return {
    byWords(text) {
      const inDescription = bestIn(text.description);
      const inBody = inDescription.weight < enough ? bestIn(text.body) : inDescription;
      const [written, best] =
        inBody.weight > inDescription.weight ? [text.body, inBody] : [text.description, inDescription];
      if (best.weight === 0) return null;
      return passageAround(written, best.from, best.to, foundIn(written, best.from, best.to));
    },
    async byMeaning(text, near) {
      let best = { sentence: proseIn(text.description), nearness: Number.NEGATIVE_INFINITY };
      for (const sentence of sentencesOf(text)) {
        const nearness = await near(sentence);
        if (nearness > best.nearness) best = { sentence, nearness };
      }
      return excerptAround(best.sentence, 0, 0);
    },
  };
}

/** A pattern of plain alternatives, which cannot backtrack. The longest come first, so that they are found. */
function patternOf(needles: readonly string[]): RegExp {
  const plain = needles.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(plain.sort((a, b) => b.length - a.length).join('|') || '(?!)', 'gi');
}

/**
 * Needles for words as they were asked for, and for stems, of which the last letter may not be there: "queri" stands
 * for "query".
 */
function needlesFor(matches: readonly WordMatch[]): ReadonlyMap<string, number> {
  const needles = new Map<string, number>();
  for (const { written, worth, found } of matches) {
    if (found.length > 0) needles.set(written, worth);
    for (const { term, share } of found) {
      const text = needleFor(term, written);
      if (text !== '') needles.set(text, Math.max(needles.get(text) ?? 0, worth * share));
    }
  }
  return new Map([...needles].sort(([, a], [, b]) => b - a).slice(0, mostNeedles));
}

/** The common beginning of a word, its stem and its other forms: "capab" for "capabilities". */
function needleFor(term: string, written: string): string {
  let same = 0;
  while (same < term.length && term[same] === written[same]) same++;
  const common = same >= shortestNeedle ? term.slice(0, same) : term;
  return common.length > shortestNeedle ? common.replace(/[ie]$/, '') : common;
}

/** The sentences of a text, made once: it is asked about again and again for as long as it is kept. */
const sentencesOf = memoized(({ description, body }: ShownText): readonly string[] => {
  const pieces = (text: string) =>
    proseIn(text)
      .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+|\s+·\s+/u)
      .map(oneLine);
  const telling = (sentence: string) => sentence.length >= shortestSentence;
  const described = pieces(description).filter(telling);
  if (described.length >= mostSentences) return described.slice(0, mostSentences);
  return [...described, ...pieces(body.slice(0, 1024)).filter(telling)].slice(0, mostSentences);
});
