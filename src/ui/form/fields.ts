import type { Json } from '../../engine/operations/tools.ts';

interface Common {
  readonly title: string;
  readonly description: string;
  /** What stands there at first, where the schema says so. */
  readonly fallback: Json | undefined;
  readonly examples: readonly Json[];
}

export interface TextField extends Common {
  readonly kind: 'text';
  /** Whether it may have several lines. */
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
  /** How many there are besides, which a form would be too long with. */
  readonly more: number;
  /** Whether it takes members under other names. */
  readonly isOpen: boolean;
}

/** Whatever has no better form: JSON, as it is written. */
export interface JsonField extends Common {
  readonly kind: 'json';
}

/** What fits in one line of a list. */
export type Simple = TextField | NumberField | ChoiceField | SwitchField;
export type Field = Simple | ListField | GroupField | JsonField;

/** An item of a list is always there; others may be left out, unless they are required. */
export type Presence = Member['presence'] | 'item';

/**
 * What a person has put in so far: a text for each control, and a list for what consists of several. Members of a group
 * stand in its order and not under their names, which are a stranger's.
 */
export type Draft = string | readonly Draft[];
