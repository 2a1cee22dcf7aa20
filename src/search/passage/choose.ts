import { oneLine } from '../../core/text.ts';
import type { SkillText } from '../index/document.ts';
import { proseIn, type Range } from '../markdown/plain.ts';
import type { WordMatch } from '../rank/words.ts';
import { excerptAround, excerptLength, passageAround } from './excerpt.ts';
import { createSlide, type Window } from './window.ts';

/** The strongest forms of the strongest words are looked for; hundreds would say no more. */
const mostNeedles = 32;
/** A description that holds so much of what was found need not be compared with the text. */
const enoughShare = 0.75;
/** So many sentences are compared with a question by their meaning. */
const mostSentences = 6;
const shortestSentence = 20;
const shortestNeedle = 4;

/** What a passage is chosen from. */
export type ShownText = Pick<SkillText, 'description' | 'body'>;

/** Chooses, for one question, what to show of each skill that was found. */
export interface PassageChooser {
  /** The stretch that holds the most of the words that were found; null if none of them is there. */
  byWords(text: ShownText): string | null;
  /** The sentence that comes nearest. */
  byMeaning(text: ShownText, near: (sentence: string) => Promise<number>): Promise<string>;
}

export function choosePassages(matches: readonly WordMatch[]): PassageChooser {
  const needles = needlesFor(matches);
  const weights = [...needles.values()];
  const numbers = new Map([...needles.keys()].map((text, number) => [text, number]));
  const pattern = patternOf([...needles.keys()]);
  const enough = enoughShare * matches.reduce((sum, { worth, found }) => sum + (found.length > 0 ? worth : 0), 0);

  /** The stretch of a text in which the needles that stand there weigh most. */
  function bestIn(text: string): Window {
    let best: Window = { from: 0, to: 0, weight: 0 };
    let slide: ReturnType<typeof createSlide> | undefined;
    const starts: number[] = [];
    for (const { 0: found, index } of text.matchAll(pattern)) {
      const number = numbers.get(found.toLowerCase());
      if (number === undefined) continue; // of the same letters, as few languages have them, in another form
      starts.push(index);
      slide ??= createSlide(weights, excerptLength);
      const stretch = slide.add(number, index, index + found.length);
      if (stretch.weight > best.weight) best = stretch;
    }
    // As tight as can be: what is to be seen is what stands around it.
    return { ...best, from: starts.find((start) => start >= best.from) ?? best.from };
  }

  /** Where needles stand in a stretch: marks that hold one are shown. */
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

/** Plain words side by side: nothing in it can go back and forth. The longest come first, so that they are found. */
function patternOf(needles: readonly string[]): RegExp {
  const plain = needles.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(plain.sort((a, b) => b.length - a.length).join('|') || '(?!)', 'gi');
}

/** Words as they were asked for; and stems, of which the last letter may not be there: "queri" stands for "query". */
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

/** What a word, its stem and its other forms have in common at their beginning: "capab" for "capabilities". */
function needleFor(term: string, written: string): string {
  let same = 0;
  while (same < term.length && term[same] === written[same]) same++;
  const common = same >= shortestNeedle ? term.slice(0, same) : term;
  return common.length > shortestNeedle ? common.replace(/[ie]$/, '') : common;
}

/** A text is asked about again and again for as long as it is kept. */
const known = new WeakMap<ShownText, readonly string[]>();

function sentencesOf(text: ShownText): readonly string[] {
  const sentences = known.get(text) ?? sentencesIn(text);
  known.set(text, sentences);
  return sentences;
}

function sentencesIn({ description, body }: ShownText): readonly string[] {
  const pieces = (text: string) =>
    proseIn(text)
      .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+|\s+·\s+/u)
      .map(oneLine);
  const telling = (sentence: string) => sentence.length >= shortestSentence;
  const described = pieces(description).filter(telling);
  if (described.length >= mostSentences) return described.slice(0, mostSentences);
  return [...described, ...pieces(body.slice(0, 1024)).filter(telling)].slice(0, mostSentences);
}
