import { isAscii } from '../../kernel/text.ts';
import { type Weigh, weightsOf } from './weight.ts';

export interface Room {
  /** What all the texts may weigh together. */
  readonly room: number;
  /** The weight below which a cut text says too little to be worth its place. */
  readonly least: number;
  readonly weigh: Weigh;
}

interface Weighed {
  readonly text: string;
  /** What the text weighs up to each of its units. */
  readonly upTo: Uint32Array;
  /** What the whole of it weighs. */
  readonly weight: number;
}

const ellipsis = '…';
/** How much a cut may give up to end with a whole word. */
const reach = 8;

/**
 * The texts, cut to one common weight: the greatest with which they fit together. Short ones stay whole. Null where even
 * the least does not fit.
 */
export function shortenEvenly(texts: readonly string[], { room, least, weigh }: Room): readonly string[] | null {
  const sign = weigh(ellipsis.charCodeAt(0));
  const all = texts.map((text): Weighed => {
    const upTo = weightsOf(text, weigh);
    return { text, upTo, weight: upTo[text.length] ?? 0 };
  });
  const cutWeight = (one: Weighed, cap: number): number =>
    one.weight <= cap ? one.weight : (one.upTo[cutAt(one, cap - sign)] ?? 0) + sign;
  const fits = (cap: number): boolean => all.reduce((sum, one) => sum + cutWeight(one, cap), 0) <= room;
  if (!fits(least)) return null;
  const heaviest = all.reduce((most, { weight }) => Math.max(most, weight), least);
  const cap = greatest(least, heaviest, fits);
  return all.map((one) => (one.weight <= cap ? one.text : cutText(one.text, cutAt(one, cap - sign))));
}

/** The greatest number that fits, where whatever lies below one that fits does so too. */
function greatest(low: number, high: number, fits: (number: number) => boolean): number {
  let [fitting, above] = [low, high + 1];
  while (above - fitting > 1) {
    const middle = Math.floor((fitting + above) / 2);
    if (fits(middle)) fitting = middle;
    else above = middle;
  }
  return fitting;
}

/** Where a text ends so that it weighs no more than this. More weight never gives an earlier end. */
function cutAt({ text, upTo }: Weighed, weight: number): number {
  const end = greatest(0, text.length, (index) => (upTo[index] ?? 0) <= weight);
  const word = text.lastIndexOf(' ', end);
  return word > 0 && (upTo[end] ?? 0) - (upTo[word] ?? 0) <= reach ? word : end;
}

let segmenter: Intl.Segmenter | undefined;

/** Ends with a whole character as a reader sees it: an accent is not cut off its letter, nor a pair of units in two. */
function cutText(text: string, end: number): string {
  if (isAscii(text)) return `${text.slice(0, end)}${ellipsis}`;
  segmenter ??= new Intl.Segmenter();
  const start = segmenter.segment(text).containing(end)?.index ?? end;
  return `${text.slice(0, start).trimEnd()}${ellipsis}`;
}
