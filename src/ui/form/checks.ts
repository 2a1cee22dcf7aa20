import { attempt } from '../../core/attempt.ts';
import type { ControlProps } from './controls.tsx';
import {
  type ChoiceField,
  type Draft,
  type Field,
  type GroupField,
  isBlank,
  type ListField,
  type NumberField,
  numberOf,
  type Presence,
  partsOf,
  type TextField,
  valueIn,
} from './drafts.ts';

const mostRepetitions = 2;
const longest = 300;

/**
 * Whether a text matches, as far as that can be told here. An expression is third-party and may take for ever, and
 * nothing in a page can break it off. So only plain ones are tried; the server, which can, tries all.
 */
function matches(pattern: string, text: string): boolean {
  if (!isPlain(pattern) || text.length > longest) return true;
  return attempt(() => new RegExp(pattern, 'u').test(text), true);
}

/** Whether a pattern is sure to be fast: few repetitions, none of them nested, and no lookaround or backreference. */
function isPlain(pattern: string): boolean {
  const bare = pattern
    .replace(/\\[pP]\{[^}]*\}/g, 'x')
    .replace(/\\[^1-9k]/g, 'x')
    .replace(/\[[^\]]*\]/g, 'x');
  if (bare.includes('\\') || /\)[*+?{]|\(\?[=!<]/.test(bare)) return false;
  return (bare.replaceAll('(?', '(').match(/[*+?{]/g)?.length ?? 0) <= mostRepetitions;
}

/** A problem in a form. */
export interface FormProblem {
  /** The id of the control. */
  readonly id: string;
  readonly message: string;
  /** Whether the value is merely missing, rather than wrong. */
  readonly isMissing: boolean;
}

type Found = Omit<FormProblem, 'id'>;

export const rootId = 'param';
export const idOf = (parent: string, place: number): string => `${parent}-${place}`;

/** The problems of a draft, in the order of the form. All other checks are the server's. */
export function problemsIn(field: Field, draft: Draft, presence: Presence, id: string): readonly FormProblem[] {
  if (field.kind === 'group') return groupProblems(field, draft, presence, id);
  const found = problemIn(field, draft, presence);
  const own = found === null ? [] : [{ id, ...found }];
  if (field.kind !== 'list') return own;
  const inside = partsOf(draft).flatMap((part, place) => problemsIn(field.item, part, 'item', idOf(id, place)));
  return [...own, ...inside];
}

function groupProblems({ members }: GroupField, draft: Draft, presence: Presence, id: string): readonly FormProblem[] {
  if (presence === 'optional' && isBlank(draft)) return [];
  const parts = partsOf(draft);
  return members.flatMap(({ field, presence: wanted }, place) =>
    problemsIn(field, parts[place] ?? '', wanted, idOf(id, place)),
  );
}

function problemIn(field: Exclude<Field, GroupField>, draft: Draft, presence: Presence): Found | null {
  const mayBeBlank =
    presence === 'optional' || field.kind === 'switch' || (field.kind === 'text' && presence === 'item');
  if (isBlank(draft) && !(field.kind === 'list')) return mayBeBlank ? null : missing(field);
  const message = checks[field.kind](field as never, draft, presence);
  return message === null ? null : { message, isMissing: false };
}

function missing({ kind }: Field): Found {
  return { message: kind === 'choice' ? 'Choose one of these.' : 'This is required.', isMissing: true };
}

/** Checks of values; null for no problem. */
const checks = {
  text: textProblem,
  number: numberProblem,
  choice: (_field: ChoiceField, _draft: Draft) => null,
  switch: () => null,
  list: listProblem,
  json: jsonProblem,
} as const satisfies Readonly<Record<Exclude<Field['kind'], 'group'>, unknown>>;

function textProblem({ minLength, maxLength, pattern }: TextField, draft: Draft): string | null {
  const text = String(draft);
  const length = minLength === null && maxLength === null ? 0 : charactersIn(text);
  if (minLength !== null && length < minLength) return `It must have at least ${minLength} characters.`;
  if (maxLength !== null && length > maxLength)
    return `It must have at most ${maxLength} characters, and has ${length}.`;
  return pattern === null || matches(pattern, text) ? null : `It must match the pattern ${pattern}`;
}

function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function numberProblem(field: NumberField, draft: Draft): string | null {
  const number = numberOf(String(draft));
  if (number === null) return field.isWhole ? 'Write a whole number.' : 'Write a number.';
  const wrong = bounds.find(({ isWrong }) => isWrong(field, number));
  return wrong === undefined ? null : wrong.words(field);
}

interface Bound {
  readonly isWrong: (field: NumberField, number: number) => boolean;
  readonly words: (field: NumberField) => string;
}

const bounds: readonly Bound[] = [
  { isWrong: ({ isWhole }, number) => isWhole && !Number.isInteger(number), words: () => 'Write a whole number.' },
  { isWrong: ({ min }, number) => min !== null && number < min, words: ({ min }) => `It must be at least ${min}.` },
  { isWrong: ({ max }, number) => max !== null && number > max, words: ({ max }) => `It must be at most ${max}.` },
  {
    isWrong: ({ above }, number) => above !== null && number <= above,
    words: ({ above }) => `It must be more than ${above}.`,
  },
  {
    isWrong: ({ below }, number) => below !== null && number >= below,
    words: ({ below }) => `It must be less than ${below}.`,
  },
  {
    isWrong: ({ multipleOf }, number) => isOff(number, multipleOf),
    words: ({ multipleOf }) => `It must be a multiple of ${multipleOf}.`,
  },
];

/** Whether a number is no multiple of the step. 0.3 is a multiple of 0.1, though not in floating point. */
function isOff(number: number, step: number | null): boolean {
  return step !== null && Math.abs(number / step - Math.round(number / step)) > 1e-9;
}

function listProblem(field: ListField, draft: Draft, presence: Presence): string | null {
  const { minItems, maxItems, isUnique } = field;
  const count = partsOf(draft).length;
  if (minItems !== null && count < minItems && !(count === 0 && presence === 'optional')) {
    return `It must have at least ${minItems} items.`;
  }
  if (maxItems !== null && count > maxItems) return `It must have at most ${maxItems} items.`;
  const values = partsOf(draft).map((part) => JSON.stringify(valueIn(field.item, part, 'item')));
  return isUnique && new Set(values).size < count ? 'It must not have the same item twice.' : null;
}

function jsonProblem(_: Field, draft: Draft): string | null {
  try {
    JSON.parse(String(draft));
    return null;
  } catch (error) {
    return `This is not JSON: ${(error as Error).message}`;
  }
}

/** Whether an author says anything about a field. */
function hasHelp({ title, description, examples }: Field): boolean {
  return title !== '' || description !== '' || examples.length > 0;
}

type Marked = Pick<ControlProps, 'id' | 'presence' | 'problems'> & { readonly field: Field | null };

/** ARIA attributes that describe the state of a control. */
export function marksOf({ id, presence, problems, field }: Marked) {
  const isHelped = field !== null && presence !== 'item' && hasHelp(field);
  return {
    id,
    'aria-describedby': isHelped ? `${id}-help ${id}-wrong` : `${id}-wrong`,
    'aria-required': presence === 'required',
    'aria-invalid': problems.some((one) => one.id === id),
  } as const;
}
