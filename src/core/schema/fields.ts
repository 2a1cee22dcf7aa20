/**
 * A parameter of an operation or a setting, as data. Parsing, help, completion and documentation are all made from it,
 * so that they cannot disagree.
 */
export interface Field {
  readonly kind: 'text' | 'list' | 'switch' | 'integer' | 'choice';
  readonly description: string;
  /** The name of the value in help, as in `--root PATH`. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** The value where none is given. Shown in help. */
  readonly default?: string | number | boolean;
  /** Whether it is given by position rather than by name; a `list` takes all arguments that follow. */
  readonly positional?: true;
  readonly required?: true;
  /** A one-letter form. */
  readonly short?: string;
  /** The kind of values that a shell should complete. */
  readonly completes?: 'skill' | 'path' | 'provider' | 'agent';
  /** Whether the folder of a skill may stand where its name does. */
  readonly orPath?: true;
}

export type Fields = Readonly<Record<string, Field>>;

type ValueOf<F extends Field> = F['kind'] extends 'list'
  ? readonly string[]
  : F['kind'] extends 'switch'
    ? boolean
    : F['kind'] extends 'integer'
      ? number
      : F extends { choices: readonly (infer Choice)[] }
        ? Choice
        : string;

type IsCertain<F extends Field> = F extends { required: true } | { default: string | number | boolean }
  ? true
  : F['kind'] extends 'list' | 'switch'
    ? true
    : false;

/** The values that fields describe: certain where required, defaulted, a list or a switch. */
export type ValuesOf<F extends Fields> = {
  readonly [K in keyof F]: IsCertain<F[K]> extends true ? ValueOf<F[K]> : ValueOf<F[K]> | undefined;
};

/** The command line's spelling of a field: `noPlugins` is written `--no-plugins`. */
export function optionName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
