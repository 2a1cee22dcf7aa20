import type { Json } from '../../engine/operations/tools.ts';
import type { Draft, Field, GroupField, ListField, Presence, TextField } from './fields.ts';
import { isObject } from './keywords.ts';
import { valueIn } from './values.ts';

/** As long as a list may be that is shown line by line. */
export const mostRows = 100;

export function blank(field: Field): Draft {
  if (field.kind === 'group') return field.members.map((member) => blank(member.field));
  return field.kind === 'list' ? [] : '';
}

/**
 * What stands in a form at first: what the schema says, where it says something usable. A group that may be left out is
 * empty at first, for else it would not be left out.
 */
export function prefilled(field: Field, presence: Presence): Draft {
  const wanted = field.fallback ?? (presence === 'required' ? field.examples[0] : undefined);
  const draft = wanted === undefined ? null : draftOf(field, wanted);
  if (draft !== null) return draft;
  if (presence !== 'required') return blank(field);
  if (field.kind === 'group') return field.members.map((member) => prefilled(member.field, member.presence));
  return field.kind === 'choice' && field.choices.length === 1 ? '0' : blank(field);
}

/** A value as it stands in the controls of a form; null where they cannot hold it. */
export function draftOf(field: Field, value: Json): Draft | null {
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

/** A line holds no line breaks, and a text area changes those of other systems. */
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

/** Parameters that were written as JSON, as they stand in the form; null where something would be lost on the way. */
export function draftFromJson(form: GroupField, value: Json): Draft | null {
  try {
    const draft = draftOf(form, value);
    return draft !== null && sameJson(valueIn(form, draft, 'required'), value) ? draft : null;
  } catch {
    return null; // so deeply nested that nothing can go through it
  }
}

/** Whether two values of JSON are the same, in whatever order their members stand. */
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
