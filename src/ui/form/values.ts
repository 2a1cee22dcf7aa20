import type { Json } from '../../engine/operations/tools.ts';
import type { Draft, Field, Presence } from './fields.ts';

/** What a draft of a form stands for; undefined for what is left out, and for what is no value of its kind. */
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
      // An optional group is only there if somebody has put something into it.
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

/** Whether nothing was put in. */
export function isBlank(draft: Draft): boolean {
  return typeof draft === 'string' ? draft === '' : draft.every(isBlank);
}

/** Null for what is no number. */
export function numberOf(text: string): number | null {
  const number = /^\s*[-+]?(\d|\.\d)[\d.]*(e[-+]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

function parsed(text: string): Json | undefined {
  try {
    return text.trim() === '' ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}
