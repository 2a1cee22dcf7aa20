/** How a settings file is written. `json` takes comments and commas after the last item, as most agents do. */
export type Format = 'json' | 'toml' | 'yaml';

export type Json = null | boolean | number | string | readonly Json[] | JsonMap;

export interface JsonMap {
  readonly [key: string]: Json;
}

/** The way to a value: the names of the maps around it, and its own. */
export type Path = readonly string[];

/** What shall be true of a file. A value that is undefined shall not be there. */
export interface Edit {
  readonly at: Path;
  readonly value: Json | undefined;
}

/** Why a file was left alone: where, as far as that is known, and in words. */
export interface Failure {
  readonly ok: false;
  readonly line: number | null;
  readonly reason: string;
}

export type Edited = { readonly ok: true; readonly text: string } | Failure;

export type Found = { readonly ok: true; readonly value: Json | undefined } | Failure;

/** What a format must be able to do. Each of these throws a `Refusal` rather than guess. */
export interface Editor {
  /** What the text means; an empty text is an empty map. */
  readonly read: (text: string) => JsonMap;
  /** Puts a value where there is none or another one, and touches nothing else. */
  readonly put: (text: string, at: Path, value: Json) => string;
  /** Takes away what is there. A map that is left with nothing stays, and is empty. */
  readonly drop: (text: string, at: Path) => string;
}

/** Thrown inside this folder only: this text cannot be read, or not be changed safely. */
export class Refusal extends Error {
  readonly line: number | null;

  constructor(reason: string, line: number | null = null) {
    super(reason);
    this.line = line;
  }
}
