import type { Value } from '../values/value.ts';

/** A filter, taken apart. */
export type Filter =
  | { readonly kind: 'identity' }
  | { readonly kind: 'everything' }
  | { readonly kind: 'literal'; readonly value: Value }
  /** A text with filters in it, whose results a format makes fit in. */
  | { readonly kind: 'text'; readonly format: string; readonly parts: readonly (string | Filter)[] }
  | { readonly kind: 'format'; readonly name: string }
  | { readonly kind: 'index'; readonly of: Filter; readonly key: Filter }
  | { readonly kind: 'slice'; readonly of: Filter; readonly from: Filter | null; readonly to: Filter | null }
  | { readonly kind: 'each'; readonly of: Filter }
  | { readonly kind: 'pipe'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'comma'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'list'; readonly items: Filter | null }
  | { readonly kind: 'object'; readonly entries: readonly Entry[] }
  | { readonly kind: 'negate'; readonly of: Filter }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'and' | 'or' | 'alternative'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'assign'; readonly operator: AssignOperator; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'if'; readonly condition: Filter; readonly yes: Filter; readonly no: Filter }
  | { readonly kind: 'try'; readonly body: Filter; readonly handler: Filter | null }
  | ({ readonly kind: 'reduce' } & Fold)
  | ({ readonly kind: 'foreach'; readonly extract: Filter | null } & Fold)
  | { readonly kind: 'bind'; readonly source: Filter; readonly pattern: Pattern; readonly body: Filter }
  | { readonly kind: 'define'; readonly definition: Definition; readonly body: Filter }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Filter[] }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'label'; readonly name: string; readonly body: Filter }
  | { readonly kind: 'break'; readonly name: string };

export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '==' | '!=' | '<' | '<=' | '>' | '>=';
export type AssignOperator = '=' | '|=' | '+=' | '-=' | '*=' | '/=' | '%=' | '//=';

export interface Entry {
  readonly key: Filter;
  readonly value: Filter;
}

interface Fold {
  readonly source: Filter;
  readonly pattern: Pattern;
  readonly start: Filter;
  readonly update: Filter;
}

/** What the parts of a value are called. */
export type Pattern =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly Pattern[] }
  | { readonly kind: 'object'; readonly entries: readonly PatternEntry[] };

export interface PatternEntry {
  readonly key: Filter;
  /** `{$name}` names the value that is held as well. */
  readonly name: string | null;
  readonly inside: Pattern | null;
}

export interface Definition {
  /** With the number of parameters: `map/1`. */
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: Filter;
}

export const identity: Filter = { kind: 'identity' };

/** All names that a pattern gives. */
export function namesIn(pattern: Pattern): string[] {
  if (pattern.kind === 'name') return [pattern.name];
  if (pattern.kind === 'list') return pattern.items.flatMap(namesIn);
  return pattern.entries.flatMap(({ name, inside }) => [
    ...(name === null ? [] : [name]),
    ...(inside === null ? [] : namesIn(inside)),
  ]);
}
