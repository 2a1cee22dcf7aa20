import { SkillError } from '../../../kernel/errors.ts';
import { count, cut } from '../../../kernel/text.ts';

/** A filter longer than this is not written by hand. */
export const longestFilter = 20_000;
/** How far parts of a filter may stand within each other. */
export const deepestFilter = 200;

/** A filter that is not jq: what was expected, what is there, and where. */
export function mistake(source: string, at: number, expected: string, found = foundAt(source, at)): SkillError {
  const before = source.slice(0, at);
  const lines = before.split('\n');
  const line = lines.length > 1 ? `line ${lines.length}, ` : '';
  const place = `${line}character ${Array.from(lines.at(-1) ?? '').length + 1}`;
  return new SkillError('usage', `The jq filter is wrong at ${place}: expected ${expected}, found ${found}`, {
    hint: `Correct the filter here: ${cut(before.slice(-40), 41)} ⟶ ${cut(source.slice(at, at + 40), 41)}`,
  });
}

function foundAt(source: string, at: number): string {
  const word = /^(?:[\w$@]+|[^\s\w]{1,2}|\s)/u.exec(source.slice(at, at + 30))?.[0];
  return word === undefined ? 'the end' : JSON.stringify(word);
}

/** A name that there is none of, with those that may have been meant. */
export function unknownName(kind: string, name: string, known: readonly string[], hint: string): SkillError {
  const suggestions = nearNames(name.replace(/\/\d+$/, ''), known);
  const meant = suggestions.length === 0 ? '' : ` Did you mean ${suggestions.join(' or ')}?`;
  return new SkillError('usage', `The jq filter uses the unknown ${kind} ${name}.${meant}`, { hint, suggestions });
}

export function tooLong(length: number): SkillError {
  return new SkillError('usage', `The jq filter has ${count(length, 'character')}, more than ${longestFilter}`, {
    hint: 'Write a shorter filter',
  });
}

/** At most three names: those with the same beginning, or one slip away. */
function nearNames(asked: string, known: readonly string[]): string[] {
  const bare = [...new Set(known.map((name) => name.replace(/\/\d+$/, '')))];
  const exact = known.filter((name) => name.startsWith(`${asked}/`));
  if (exact.length > 0) return exact;
  const close = bare.filter((name) => isOneSlipAway(asked, name));
  const alike = bare.filter((name) => name.startsWith(asked) || (name.length > 3 && asked.startsWith(name)));
  return [...new Set([...close, ...alike])].slice(0, 3);
}

/** One letter more, less, other, or two swapped. */
function isOneSlipAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  while (from < Math.min(a.length, b.length) && a[from] === b[from]) from++;
  const [restOfA, restOfB] = [a.slice(from), b.slice(from)];
  const isSwapped = restOfA[0] === restOfB[1] && restOfA[1] === restOfB[0] && restOfA.slice(2) === restOfB.slice(2);
  return [
    isSwapped,
    restOfA.slice(1) === restOfB.slice(1),
    restOfA.slice(1) === restOfB,
    restOfA === restOfB.slice(1),
  ].includes(true);
}
