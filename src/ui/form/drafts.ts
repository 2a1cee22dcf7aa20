import { attempt } from '../../core/attempt.ts';
import type { Json } from '../../engine/operations/running/tools.ts';
import { isObject } from './schema.ts';

interface Common {
  readonly title: string;
  readonly description: string;
  /** The initial value, where the schema has one. */
  readonly fallback: Json | undefined;
  readonly examples: readonly Json[];
}

export interface TextField extends Common {
  readonly kind: 'text';
  /** Whether the text may have several lines. */
  readonly isLong: boolean;
  readonly minLength: number | null;
  readonly maxLength: number | null;
  readonly pattern: string | null;
}

export interface NumberField extends Common {
  readonly kind: 'number';
  readonly isWhole: boolean;
  readonly min: number | null;
  readonly max: number | null;
  readonly above: number | null;
  readonly below: number | null;
  readonly multipleOf: number | null;
}

export interface ChoiceField extends Common {
  readonly kind: 'choice';
  readonly choices: readonly Json[];
}

export interface SwitchField extends Common {
  readonly kind: 'switch';
}

export interface ListField extends Common {
  readonly kind: 'list';
  readonly item: Simple;
  readonly minItems: number | null;
  readonly maxItems: number | null;
  readonly isUnique: boolean;
}

export interface Member {
  readonly name: string;
  readonly presence: 'required' | 'optional';
  readonly field: Field;
}

export interface GroupField extends Common {
  readonly kind: 'group';
  readonly members: readonly Member[];
  /** Number of further members, which would make the form too long. */
  readonly more: number;
  /** Whether it takes members under other names. */
  readonly isOpen: boolean;
}

/** A field without a better form: JSON, as it is written. */
export interface JsonField extends Common {
  readonly kind: 'json';
}

/** Fields that fit in one line of a list. */
export type Simple = TextField | NumberField | ChoiceField | SwitchField;
export type Field = Simple | ListField | GroupField | JsonField;

/** Presence of a field. An item of a list is always there; others may be left out, unless they are required. */
export type Presence = Member['presence'] | 'item';

/**
 * The values a person has entered so far: a text for each control, and a list for a field of several. Members of a
 * group are in its order and not under their names, which are third-party.
 */
export type Draft = string | readonly Draft[];

/** The value of a draft; undefined for a field that is left out, and for a text that is no value of its kind. */
export function valueIn(field: Field, draft: Draft, presence: Presence): Json | undefined {
  const text = typeof draft === 'string' ? draft : '';
  switch (field.kind) {
    case 'text':
      return text === '' && presence !== 'item' ? undefined : text;
    case 'number':
      return numberOf(text) ?? undefined;
    case 'switch':
      return text === '' && presence === 'optional' ? undefined : text === 'yes';
    case 'choice':
      return text === '' ? undefined : field.choices[Number(text)];
    case 'json':
      return parsed(text);
    case 'list': {
      const items = partsOf(draft).map((part) => valueIn(field.item, part, 'item'));
      return orNothing(
        items.filter((item) => item !== undefined),
        items.length,
        presence,
      );
    }
    case 'group': {
      const parts = partsOf(draft);
      const entries = field.members.flatMap(({ name, presence: wanted, field: part }, place) => {
        const value = valueIn(part, parts[place] ?? '', wanted);
        return value === undefined ? [] : [[name, value] as const];
      });
      // An optional group is only there if somebody has entered something into it.
      const count = presence === 'optional' && isBlank(draft) ? 0 : entries.length;
      return orNothing(Object.fromEntries(entries), count, presence);
    }
  }
}

function orNothing(value: Json, count: number, presence: Presence): Json | undefined {
  return count === 0 && presence === 'optional' ? undefined : value;
}

export function partsOf(draft: Draft): readonly Draft[] {
  return typeof draft === 'string' ? [] : draft;
}

/** Whether nothing was entered. */
export function isBlank(draft: Draft): boolean {
  return typeof draft === 'string' ? draft === '' : draft.every(isBlank);
}

/** The number a text stands for; null where it is none. */
export function numberOf(text: string): number | null {
  const number = /^\s*[-+]?(\d|\.\d)[\d.]*(e[-+]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

function parsed(text: string): Json | undefined {
  return attempt(() => (text.trim() === '' ? undefined : (JSON.parse(text) as Json)), undefined);
}

/** Number of rows in the longest list that is shown line by line. */
export const mostRows = 100;

export function blank(field: Field): Draft {
  if (field.kind === 'group') return field.members.map((member) => blank(member.field));
  return field.kind === 'list' ? [] : '';
}

/**
 * The initial draft of a field: the schema's default, or an example where the field is required, if usable. An optional
 * group is empty at first, for else it would not be left out.
 */
export function prefilled(field: Field, presence: Presence): Draft {
  const wanted = field.fallback ?? (presence === 'required' ? field.examples[0] : undefined);
  const draft = wanted === undefined ? null : draftOf(field, wanted);
  if (draft !== null) return draft;
  if (presence !== 'required') return blank(field);
  if (field.kind === 'group') return field.members.map((member) => prefilled(member.field, member.presence));
  return field.kind === 'choice' && field.choices.length === 1 ? '0' : blank(field);
}

/** The draft of a value; null where the controls cannot hold it. */
function draftOf(field: Field, value: Json): Draft | null {
  switch (field.kind) {
    case 'text':
      return lineDraft(field, value);
    case 'number':
      return typeof value === 'number' ? String(value) : null;
    case 'switch':
      return typeof value === 'boolean' ? (value ? 'yes' : 'no') : null;
    case 'choice':
      return placeOf(field.choices, value);
    case 'list':
      return listDraft(field, value);
    case 'group':
      return groupDraft(field, value);
    case 'json':
      return JSON.stringify(value, null, 2);
  }
}

/**
 * The draft of a text; null where the control would change it: a line holds no line breaks, and a text area normalizes
 * them.
 */
function lineDraft({ isLong }: TextField, value: Json): string | null {
  return typeof value === 'string' && !(isLong ? /\r/ : /[\r\n]/).test(value) ? value : null;
}

function listDraft({ item }: ListField, value: Json): Draft | null {
  return Array.isArray(value) && value.length <= mostRows ? all(value.map((one) => draftOf(item, one))) : null;
}

function placeOf(choices: readonly Json[], value: Json): string | null {
  const place = choices.findIndex((choice) => sameJson(choice, value));
  return place < 0 ? null : String(place);
}

function groupDraft({ members }: GroupField, value: Json): Draft | null {
  if (!isObject(value)) return null;
  const names = new Set(members.map(({ name }) => name));
  if (Object.keys(value).some((name) => !names.has(name))) return null;
  return all(
    members.map(({ name, field }) =>
      Object.hasOwn(value, name)
        ? draftOf(field, (value as { readonly [name: string]: Json })[name] ?? null)
        : blank(field),
    ),
  );
}

function all(drafts: readonly (Draft | null)[]): Draft | null {
  return drafts.every((draft) => draft !== null) ? drafts : null;
}

/** The draft of parameters that were written as JSON; null where something would be lost on the way. */
export function draftFromJson(form: GroupField, value: Json): Draft | null {
  try {
    const draft = draftOf(form, value);
    return draft !== null && sameJson(valueIn(form, draft, 'required'), value) ? draft : null;
  } catch {
    return null; // too deeply nested for the stack
  }
}

/** Whether two JSON values are equal, in any order of their members. */
function sameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, place) => sameJson(item, other[place]));
  }
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameJson(one[name], other[name]))
  );
}
