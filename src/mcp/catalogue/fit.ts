import { shortenEvenly } from './shorten.ts';
import { visibleLine } from './text.ts';
import type { CatalogueEntry } from './types.ts';
import type { Weigh } from './weight.ts';

/** How one catalogue is written and measured. */
export interface Form {
  /** What the assembled text may measure. */
  readonly limit: number;
  /** Measures a text; two texts together measure what they measure apart. */
  readonly measure: (text: string) => number;
  /** What a unit of a description adds to that, once written. */
  readonly weigh: Weigh;
  /** The least that a shortened description may be: below, it says nothing. */
  readonly leastDescription: number;
  /** Where a reader of a shortened list finds the rest, in a sentence. */
  readonly pointer: string;
  readonly entry: (name: string, description: string, location: CatalogueEntry['location']) => string;
  readonly name: (name: string) => string;
  /** How many are not shown. */
  readonly rest: (number: number) => string;
  /** The whole text. The notice that the list is shortened is empty where it is not. */
  readonly assemble: (notice: string, list: string) => string;
}

/** Skills that do not all fit in full. */
interface Shortage {
  /** Those that can be listed: all but the absurdly named. */
  readonly entries: readonly CatalogueEntry[];
  /** Of all skills, listed or not. */
  readonly total: number;
}

/** No honest name is longer, and one of thousands of letters would push all others out of the list. */
const longestName = 200;

/** Every skill in full; else with all descriptions shortened alike; else by name; else the first names and a number. */
export function fitted(entries: readonly CatalogueEntry[], form: Form): string {
  const whole = inFull(entries, form);
  if (whole !== null) return whole;
  const listable = entries.filter(({ name }) => name.length <= longestName);
  const shortage: Shortage = { entries: listable, total: entries.length };
  return withShortDescriptions(shortage, form) ?? withNames(shortage, form);
}

function inFull(entries: readonly CatalogueEntry[], form: Form): string | null {
  const room = form.limit - form.measure(form.assemble('', ''));
  if (!haveRoom(entries, room, form)) return null;
  const list = entries.map((entry) => entryIn(form, entry, visibleLine(entry.description))).join('');
  return Number.isFinite(room) && form.measure(list) > room ? null : form.assemble('', list);
}

function withShortDescriptions({ entries, total }: Shortage, form: Form): string | null {
  const rest = restIn(form, total - entries.length);
  const notice = `This list is shortened to fit: long descriptions are cut (…). ${form.pointer}`;
  const room = form.limit - form.measure(form.assemble(notice, rest));
  if (entries.length === 0 || !haveRoom(entries, room, form)) return null;
  const frames = entries.reduce((sum, entry) => sum + form.measure(entryIn(form, entry, '')), 0);
  const texts = entries.map(({ description }) => visibleLine(description));
  const cut = shortenEvenly(texts, { room: room - frames, least: form.leastDescription, weigh: form.weigh });
  if (cut === null) return null;
  return form.assemble(notice, entries.map((entry, index) => entryIn(form, entry, cut[index] ?? '')).join('') + rest);
}

function withNames({ entries, total }: Shortage, form: Form): string {
  const allNotice = `This list is shortened to fit: names only. ${form.pointer}`;
  const all = namesWithin(entries, form.limit - form.measure(form.assemble(allNotice, '')), form);
  if (all.length === total) return form.assemble(allNotice, all.join(''));
  const notice = (shown: number): string =>
    `This list is shortened to fit: ${shown} of ${total} names, no descriptions; the others may be used as well. ${form.pointer}`;
  // Both numbers are reserved at their widest: what is written can only turn out shorter.
  const reserved = form.measure(form.assemble(notice(total), form.rest(total)));
  const some = namesWithin(entries, form.limit - reserved, form);
  return form.assemble(notice(some.length), some.join('') + restIn(form, total - some.length));
}

/** As many names as there is room for, from the first on. */
function namesWithin(entries: readonly CatalogueEntry[], room: number, form: Form): string[] {
  const names: string[] = [];
  let left = room;
  for (const { name } of entries) {
    const line = form.name(visibleLine(name));
    left -= form.measure(line);
    if (left < 0) break;
    names.push(line);
  }
  return names;
}

/** Whether the mere frames fit. Of ten thousand skills they do not, and no description need be looked at. */
function haveRoom(entries: readonly CatalogueEntry[], room: number, form: Form): boolean {
  return entries.length * form.measure(form.entry('', '', 'global')) <= room;
}

function entryIn(form: Form, { name, location }: CatalogueEntry, description: string): string {
  return form.entry(visibleLine(name), description, location);
}

function restIn(form: Form, number: number): string {
  return number === 0 ? '' : form.rest(number);
}
