import { isAscii } from '../../../core/text/text.ts';
import { type CatalogueEntry, visibleLine, type Weigh, weightsOf } from './weight.ts';

/** The form in which one catalogue is written and measured. */
export interface Form {
  /** The measure that the list may have beside a notice. */
  readonly room: (notice: string) => number;
  /** Measures a text; the measure of two texts together is the sum of both. */
  readonly measure: (text: string) => number;
  /** The measure that a unit of a description adds once written. */
  readonly weigh: Weigh;
  /** The shortest that a cut description may be: below, it says nothing. */
  readonly leastDescription: number;
  /** A sentence that points a reader of a shortened list to the rest. */
  readonly pointer: string;
  readonly entry: (name: string, description: string, location: CatalogueEntry['location']) => string;
  readonly name: (name: string) => string;
  /** The line with the number of skills that are not shown. */
  readonly rest: (number: number) => string;
}

/** A catalogue that fits. */
export interface Fitted {
  /** The notice on how the list is shortened and where the rest is; empty where it is complete. */
  readonly notice: string;
  readonly list: string;
  /** Whether every name is in the list. */
  readonly isComplete: boolean;
}

/** Skills that do not all fit in full. */
interface Shortage {
  /** Skills that can be listed: all but the absurdly named. */
  readonly entries: readonly CatalogueEntry[];
  /** Number of all skills, listed or not. */
  readonly total: number;
}

/** Characters of the longest name listed. No honest one is longer, and one of thousands would push all others out. */
const longestName = 200;

/**
 * Fits the skills: each in full; else with all descriptions shortened alike; else by name; else the first names and a
 * number.
 */
export function fitted(entries: readonly CatalogueEntry[], form: Form): Fitted {
  const whole = inFull(entries, form);
  if (whole !== null) return { notice: '', list: whole, isComplete: true };
  const listable = entries.filter(({ name }) => name.length <= longestName);
  const shortage: Shortage = { entries: listable, total: entries.length };
  return withShortDescriptions(shortage, form) ?? withNames(shortage, form);
}

function inFull(entries: readonly CatalogueEntry[], form: Form): string | null {
  const room = form.room('');
  if (!haveRoom(entries, room, form)) return null;
  const list = entries.map((entry) => entryIn(form, entry, visibleLine(entry.description))).join('');
  return Number.isFinite(room) && form.measure(list) > room ? null : list;
}

function withShortDescriptions({ entries, total }: Shortage, form: Form): Fitted | null {
  const rest = restIn(form, total - entries.length);
  const notice = `This list is shortened to fit: long descriptions are cut (…). ${form.pointer}`;
  const room = form.room(notice) - form.measure(rest);
  if (entries.length === 0 || !haveRoom(entries, room, form)) return null;
  const frames = entries.reduce((sum, entry) => sum + form.measure(entryIn(form, entry, '')), 0);
  const texts = entries.map(({ description }) => visibleLine(description));
  const cut = shortenEvenly(texts, { room: room - frames, least: form.leastDescription, weigh: form.weigh });
  if (cut === null) return null;
  const list = entries.map((entry, index) => entryIn(form, entry, cut[index] ?? '')).join('') + rest;
  return { notice, list, isComplete: rest === '' };
}

function withNames({ entries, total }: Shortage, form: Form): Fitted {
  const allNotice = `This list is shortened to fit: names only. ${form.pointer}`;
  const all = namesWithin(entries, form.room(allNotice), form);
  if (all.length === total) return { notice: allNotice, list: all.join(''), isComplete: true };
  const notice = (shown: number): string =>
    `This list is shortened to fit: ${shown} of ${total} names, no descriptions; the others may be used as well. ${form.pointer}`;
  // Both numbers are reserved at their widest: the written text can only turn out shorter.
  const some = namesWithin(entries, form.room(notice(total)) - form.measure(form.rest(total)), form);
  const list = some.join('') + restIn(form, total - some.length);
  return { notice: notice(some.length), list, isComplete: false };
}

/** The names that fit, from the first on, which is there in any case. */
function namesWithin(entries: readonly CatalogueEntry[], room: number, form: Form): string[] {
  const names: string[] = [];
  let left = room;
  for (const { name } of entries) {
    const line = form.name(visibleLine(name));
    left -= form.measure(line);
    if (left < 0 && names.length > 0) break;
    names.push(line);
  }
  return names;
}

/** Whether the bare frames fit. For ten thousand skills they do not, and no description need be read. */
function haveRoom(entries: readonly CatalogueEntry[], room: number, form: Form): boolean {
  return entries.length * form.measure(form.entry('', '', 'global')) <= room;
}

function entryIn(form: Form, { name, location }: CatalogueEntry, description: string): string {
  return form.entry(visibleLine(name), description, location);
}

function restIn(form: Form, number: number): string {
  return number === 0 ? '' : form.rest(number);
}

interface Room {
  /** Weight that all the texts may have together. */
  readonly room: number;
  /** Weight below which a cut text says too little to be worth its place. */
  readonly least: number;
  readonly weigh: Weigh;
}

interface Weighed {
  readonly text: string;
  /** Cumulative weight of the text up to each of its units. */
  readonly upTo: Uint32Array;
  /** Weight of the whole text. */
  readonly weight: number;
}

const ellipsis = '…';
/** Units that a cut may give up to end with a whole word. */
const reach = 8;

/**
 * Cuts the texts to one common weight: the greatest with which they fit together. Short ones stay whole. Null where
 * even the least does not fit.
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

/** The greatest number that fits, by binary search: all below one that fits do too. */
function greatest(low: number, high: number, fits: (number: number) => boolean): number {
  let [fitting, above] = [low, high + 1];
  while (above - fitting > 1) {
    const middle = Math.floor((fitting + above) / 2);
    if (fits(middle)) fitting = middle;
    else above = middle;
  }
  return fitting;
}

/** The index at which a text ends so that it weighs no more than this. More weight never gives an earlier end. */
function cutAt({ text, upTo }: Weighed, weight: number): number {
  const end = greatest(0, text.length, (index) => (upTo[index] ?? 0) <= weight);
  const word = text.lastIndexOf(' ', end);
  return word > 0 && (upTo[end] ?? 0) - (upTo[word] ?? 0) <= reach ? word : end;
}

let segmenter: Intl.Segmenter | undefined;

/** Cuts a text after a whole grapheme: an accent is not cut off its letter, nor a surrogate pair in two. */
function cutText(text: string, end: number): string {
  if (isAscii(text)) return `${text.slice(0, end)}${ellipsis}`;
  segmenter ??= new Intl.Segmenter();
  const start = segmenter.segment(text).containing(end)?.index ?? end;
  return `${text.slice(0, start).trimEnd()}${ellipsis}`;
}
