import { cut } from '../../kernel/text.ts';
import type { Frontmatter, Json, Skill } from '../../skill/types.ts';

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

const textNo: ReadonlySet<string> = new Set(['false', 'no', 'off', '0']);

/** Whether users may call the skill themselves. They may unless it says otherwise. */
export function isUserInvocable({ frontmatter }: Skill): boolean {
  const value = fieldOf(frontmatter, 'user-invocable');
  return !(value === false || value === 0 || (typeof value === 'string' && textNo.has(value.trim().toLowerCase())));
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

/** A field, whether it is written `like-this`, `like_this` or `likeThis`. */
function fieldOf(frontmatter: Frontmatter, key: string): Json | undefined {
  const snake = key.replaceAll('-', '_');
  const camel = key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const written = [key, snake, camel].find((one) => Object.hasOwn(frontmatter, one));
  return written === undefined ? undefined : frontmatter[written];
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
