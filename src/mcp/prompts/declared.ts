import { cut } from '../../kernel/text.ts';
import { fieldOf } from '../../skill/invocation.ts';
import type { Json, Skill } from '../../skill/types.ts';

/** An argument of a prompt, as lists show it. */
export interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: false;
}

/** What a skill says of how a user may call it. */
export interface Declared {
  /** Names of its arguments; null when it takes one text and does what it likes with it. */
  readonly names: readonly string[] | null;
  readonly hint: string;
}

/** What a skill's front matter says of its arguments. */
export function declaredOf({ frontmatter }: Skill): Declared {
  const hint = fieldOf(frontmatter, 'argument-hint');
  const names = [...new Set(namesIn(fieldOf(frontmatter, 'arguments')))];
  return { names: names.length > 0 ? names : null, hint: hintText(hint) };
}

const hintLength = 200;

/** `[file] [mode]` is, to YAML, a list or a list that is no list: both are meant as they are written. */
function hintText(hint: Json | undefined): string {
  const text = Array.isArray(hint) ? hint.map((one) => `[${String(one)}]`).join(' ') : hint;
  return typeof text === 'string' ? cut(text, hintLength) : '';
}

/** The arguments that lists show: those with names, or the one text. */
export function argumentsOf({ names, hint }: Declared): PromptArgument[] {
  if (names === null) {
    const description = hint === '' ? 'What to tell the skill' : hint;
    return [{ name: 'arguments', description, required: false }];
  }
  return names.map((name) => ({ name, ...(hint === '' ? {} : { description: hint }), required: false }));
}

const mostNames = 20;

function namesIn(value: Json | undefined): string[] {
  const items = typeof value === 'string' ? value.split(/[\s,]+/) : Array.isArray(value) ? value : [];
  const names = items.map((item: Json) => (isMapWithName(item) ? item.name : item));
  return names.filter((name): name is string => typeof name === 'string' && isName(name)).slice(0, mostNames);
}

function isMapWithName(item: Json): item is { readonly name: Json } {
  return typeof item === 'object' && item !== null && !Array.isArray(item) && 'name' in item;
}

function isName(text: string): boolean {
  return /^[A-Za-z_][\w-]{0,63}$/.test(text);
}
