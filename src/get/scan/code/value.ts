/**
 * A value of a program as far as it can be worked out without running anything: its text, with a hole where a part is
 * not known, and where its content comes from.
 */
export interface Value {
  readonly text: string;
  readonly from: readonly Source[];
  /** The elements of a list. */
  readonly items?: readonly Value[];
}

/** An origin of content. Whoever sends, runs or keeps a value is judged by it. */
export interface Source {
  readonly kind: 'network' | 'decoded' | 'credential' | 'environment' | 'file' | 'input' | 'command';
  /** The address, the encoding, the path or the name. */
  readonly what: string;
}

/** The character in the place of what is not known. */
export const hole = '\ufffc';
/** Characters that are followed of one value; what is larger is data. */
const longest = 200_000;
const mostSources = 12;

export const unknown: Value = { text: hole, from: [] };

export function known(text: string): Value {
  return { text: text.length > longest ? text.slice(0, longest) : text, from: [] };
}

export function isKnown({ text }: Value): boolean {
  return !text.includes(hole);
}

/** A value of unknown text from one source. */
export function sourced(kind: Source['kind'], what: string): Value {
  return { text: hole, from: [{ kind, what: what.slice(0, 200) }] };
}

/** The sources of several values, each once. */
export function sourcesOf(values: readonly Value[]): readonly Source[] {
  const [first] = values;
  if (values.length === 1 && first !== undefined) return first.from;
  const found: Source[] = [];
  for (const { from } of values) {
    for (const one of from) {
      if (found.length >= mostSources) return found;
      if (!found.some(({ kind, what }) => kind === one.kind && what === one.what)) found.push(one);
    }
  }
  return found;
}

/** Values one after the other, as by a concatenation. */
export function joined(values: readonly Value[], between = ''): Value {
  return { ...known(values.map(({ text }) => text).join(between)), from: sourcesOf(values) };
}

/** Something made of values by an unknown way: its text is lost, its origin is not. */
export function madeOf(...values: readonly Value[]): Value {
  return { text: hole, from: sourcesOf(values) };
}

/** The value after a change of its text that loses nothing. */
export function changed(value: Value, change: (text: string) => string): Value {
  return isKnown(value) ? { ...known(change(value.text)), from: value.from } : madeOf(value);
}

/** The value after a decoding, which is worked out where its text is known. */
export function decoded(value: Value, encoding: string, decode: (text: string) => string | null): Value {
  const from = sourcesOf([value, sourced('decoded', encoding)]);
  const text = isKnown(value) ? decode(value.text) : null;
  return { text: text === null ? hole : text.slice(0, longest), from };
}

export function has(value: { readonly from: readonly Source[] }, kind: Source['kind']): boolean {
  return value.from.some((source) => source.kind === kind);
}
