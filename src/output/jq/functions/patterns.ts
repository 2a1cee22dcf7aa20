import { type Arg, type At, made, type StreamFunction, unlocated, valuesOf } from '../values/at.ts';
import type { Budget } from '../values/budget.ts';
import { JqFailure, named } from '../values/failure.ts';
import { isList, type Value } from '../values/value.ts';
import { lettersIn } from './collections.ts';

/** Functions of regular expressions. Whoever runs the filter keeps an eye on the time that they take. */
export const patternFunctions: Readonly<Record<string, StreamFunction>> = {
  ...withFlags('test', (at, asked, budget) => [made([...matchesOf(asked, budget)].length > 0, at)]),
  ...withFlags('match', function* (at, asked, budget) {
    for (const match of matchesOf(asked, budget)) yield made(describe(match), at);
  }),
  ...withFlags('capture', function* (at, asked, budget) {
    for (const match of matchesOf(asked, budget)) yield made(namedParts(match), at);
  }),
  ...withFlags('scan', function* (at, asked, budget) {
    for (const { parts, text } of matchesOf(everywhere(asked), budget)) {
      yield made(parts.length === 0 ? text : parts.map((part) => part.text), at);
    }
  }),
  ...withFlags('splits', function* (at, asked, budget) {
    for (const piece of pieces(everywhere(asked), budget)) yield made(piece, at);
  }),
  'split/2': function* (at, [pattern, flags], budget) {
    for (const asked of askedFor(at, [pattern, flags], budget)) yield made([...pieces(everywhere(asked), budget)], at);
  },
  'sub/2': (at, [pattern, by], budget) => replaced(at, [pattern], by, 'first', budget),
  'sub/3': (at, [pattern, by, flags], budget) => replaced(at, [pattern, flags], by, 'first', budget),
  'gsub/2': (at, [pattern, by], budget) => replaced(at, [pattern], by, 'all', budget),
  'gsub/3': (at, [pattern, by, flags], budget) => replaced(at, [pattern, flags], by, 'all', budget),
};

interface Asked {
  readonly text: string;
  readonly pattern: RegExp;
  readonly isGlobal: boolean;
  readonly takesEmpty: boolean;
}

interface Part {
  readonly text: string | null;
  /** In code points; -1 for a part that did not take part. */
  readonly offset: number;
  readonly name: string | null;
}

interface Match {
  readonly text: string;
  readonly offset: number;
  readonly from: number;
  readonly parts: readonly Part[];
}

type Work = (at: At, asked: Asked, budget: Budget) => Iterable<At>;

/** With and without flags. */
function withFlags(name: string, work: Work): Record<string, StreamFunction> {
  const one: StreamFunction = function* (at, args, budget) {
    for (const asked of askedFor(at, args, budget)) yield* work(at, asked, budget);
  };
  return { [`${name}/1`]: one, [`${name}/2`]: one };
}

function* askedFor(at: At, [patterns, flags]: Parameters<StreamFunction>[1], budget: Budget): Iterable<Asked> {
  for (const flag of flags === undefined ? [null] : valuesOf(flags, at)) {
    for (const pattern of valuesOf(patterns, at)) yield ask(at.value, pattern, flag, budget);
  }
}

/** The pattern may stand in a list together with its flags. */
function ask(text: Value, pattern: Value, flags: Value, budget: Budget): Asked {
  if (isList(pattern)) return ask(text, pattern[0] ?? null, pattern[1] ?? flags, budget);
  if (typeof text !== 'string') throw new JqFailure(`${named(text)} cannot be matched, as it is not a string`);
  if (typeof pattern !== 'string') throw new JqFailure(`${named(pattern)} cannot be matched, as it is not a string`);
  if (flags !== null && typeof flags !== 'string') throw new JqFailure(`${named(flags)} is not a string`);
  const wanted = flags ?? '';
  if (/[^ginslxp]/.test(wanted)) throw new JqFailure(`${wanted} is not a valid modifier string`);
  budget.spendText(text.length + pattern.length);
  return { text, pattern: compile(pattern, wanted), isGlobal: wanted.includes('g'), takesEmpty: !wanted.includes('n') };
}

function compile(pattern: string, flags: string): RegExp {
  const source = endsToo(flags.includes('x') ? withoutSpaces(pattern) : pattern);
  const wanted = `gd${flags.includes('i') ? 'i' : ''}${flags.includes('p') ? 's' : ''}`;
  try {
    return new RegExp(source, `${wanted}u`);
  } catch {
    // Without it, escapes that mean nothing are allowed.
    return compileLoosely(source, wanted);
  }
}

function compileLoosely(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new JqFailure(`${named(source)} is not a valid regex: ${(error as Error).message}`);
  }
}

/** Spaces and remarks mean nothing, but for those in brackets or after a backslash. */
function withoutSpaces(pattern: string): string {
  return pattern.replace(
    /(\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\])|\s+|#[^\n]*/g,
    (_, kept: string | undefined) => kept ?? '',
  );
}

/** Here `$` stands before a new line at the very end as well. */
function endsToo(pattern: string): string {
  return pattern.replace(
    /(\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\])|\$/g,
    (_, kept: string | undefined) => kept ?? '(?=\\n?$)',
  );
}

/** The names of the groups of a pattern, in their order; null for one without a name. */
function namesOf(pattern: RegExp): (string | null)[] {
  const groups = pattern.source.matchAll(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?!\?)|\(\?<(?![=!])([^>]+)>/g);
  return Array.from(groups).flatMap(([whole, name]) => (whole.startsWith('(') ? [name ?? null] : []));
}

function everywhere(asked: Asked): Asked {
  return { ...asked, isGlobal: true };
}

function* matchesOf({ text, pattern, isGlobal, takesEmpty }: Asked, budget: Budget): Iterable<Match> {
  const names = namesOf(pattern);
  let [letters, counted] = [0, 0];
  for (const found of text.matchAll(pattern)) {
    budget.spend(1 + found.length);
    if (found[0] === '' && !takesEmpty) continue;
    letters += lettersIn(text.slice(counted, found.index));
    counted = found.index;
    yield { text: found[0], offset: letters, from: found.index, parts: partsOf(found, names, letters) };
    if (!isGlobal) return;
  }
}

function partsOf(found: RegExpExecArray, names: readonly (string | null)[], letters: number): Part[] {
  return found.slice(1).map((text: string | undefined, index) => {
    const start = found.indices?.[index + 1]?.[0];
    const offset = start === undefined ? -1 : letters + lettersIn(found.input.slice(found.index, start));
    return { text: text ?? null, offset, name: names[index] ?? null };
  });
}

function describe({ text, offset, parts }: Match): Value {
  return new Map<string, Value>([
    ['offset', offset],
    ['length', lettersIn(text)],
    ['string', text],
    ['captures', parts.map(describePart)],
  ]);
}

function describePart({ text, offset, name }: Part): Value {
  return new Map<string, Value>([
    ['offset', offset],
    ['length', lettersIn(text ?? '')],
    ['string', text],
    ['name', name],
  ]);
}

function namedParts({ parts }: Match): Value {
  return new Map(parts.flatMap(({ name, text }): [string, Value][] => (name === null ? [] : [[name, text]])));
}

function* pieces(asked: Asked, budget: Budget): Iterable<string> {
  let from = 0;
  for (const match of matchesOf(asked, budget)) {
    yield asked.text.slice(from, match.from);
    from = match.from + match.text.length;
  }
  yield asked.text.slice(from);
}

/** Every match replaced by what the filter makes of its named parts; by all of it in turn, if that is much. */
function* replaced(
  at: At,
  args: Parameters<StreamFunction>[1],
  by: Arg | undefined,
  reach: 'first' | 'all',
  budget: Budget,
): Iterable<At> {
  for (const asked of askedFor(at, args, budget)) {
    let from = 0;
    let texts = [''];
    for (const match of matchesOf({ ...asked, isGlobal: asked.isGlobal || reach === 'all' }, budget)) {
      const before = asked.text.slice(from, match.from);
      const others = Array.from(valuesOf(by, unlocated(namedParts(match))), replacement);
      texts = others.flatMap((other) => texts.map((text) => text + before + other));
      budget.spend(texts.length);
      from = match.from + match.text.length;
    }
    const rest = asked.text.slice(from);
    budget.spendText(texts.length * asked.text.length);
    for (const text of texts) yield made(text + rest, at);
  }
}

function replacement(value: Value): string {
  if (typeof value !== 'string') throw new JqFailure(`${named(value)} cannot be added to a string`);
  return value;
}
