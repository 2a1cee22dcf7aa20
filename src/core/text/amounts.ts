import { type Parsed, parsed, problem, shown } from '../schema/parsed.ts';

const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

/** Bytes per unit. Memory is counted in steps of 1,024, however people write the unit. */
const bytes: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  ...Object.fromEntries(
    ['k', 'm', 'g', 't'].flatMap((letter, step) =>
      [letter, `${letter}b`, `${letter}i`, `${letter}ib`].map((unit) => [unit, 1024 ** (step + 1)]),
    ),
  ),
};

const durationParts = /(\d+(?:\.\d+)?)\s*(ms|s|min|m|h)(?![a-z])\s*/giy;
const duration = 'Write it like "30s", "500ms", "5m", "1h" or "1m30s"; a number alone counts seconds.';
const size = 'Write it like "256MB", "1GiB" or "512k"; a number alone counts bytes.';

/** Parses a span of time into milliseconds: `"30s"`, `"1m30s"`, or a number of seconds. */
export function parseDuration(value: unknown): Parsed<number> {
  if (typeof value === 'number') return positive(value * 1000, value, 'a duration', duration);
  if (typeof value !== 'string') return problem(notA(value, 'a duration'), duration);
  return positive(durationOf(value.trim()), value, 'a duration', duration);
}

function durationOf(text: string): number {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  let [ms, read] = [0, 0];
  for (const [part, number = '', unit = ''] of text.matchAll(durationParts)) {
    ms += Number(number) * (milliseconds[unit.toLowerCase()] ?? Number.NaN);
    read += part.length;
  }
  return read === text.length ? ms : Number.NaN;
}

/** Parses a number of bytes: `"256MB"`, `"1GiB"`, or a number. */
export function parseSize(value: unknown): Parsed<number> {
  if (typeof value === 'number') return positive(value, value, 'a size', size);
  if (typeof value !== 'string') return problem(notA(value, 'a size'), size);
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(value.trim()) ?? [];
  const each = Object.hasOwn(bytes, unit.toLowerCase()) ? bytes[unit.toLowerCase()] : undefined;
  return positive(number === '' ? Number.NaN : Number(number) * (each ?? Number.NaN), value, 'a size', size);
}

/** Parses a count: a whole number from 1. */
export function parseCount(value: unknown): Parsed<number> {
  const counts = typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
  return counts ? parsed(value) : problem(notA(value, 'a whole number of at least 1'), 'Write a number such as 64.');
}

/**
 * Accepts positive amounts only: nothing could be done under a limit of zero, and there is no way to write "no limit".
 */
function positive(amount: number, value: unknown, what: string, remedy: string): Parsed<number> {
  const rounded = Math.round(amount);
  return Number.isSafeInteger(rounded) && rounded > 0 ? parsed(rounded) : problem(notA(value, what), remedy);
}

function notA(value: unknown, what: string): string {
  return `${shown(value)} is not ${what}`;
}

const spans = [
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;
const sizes = [
  [1024 ** 3, 'GB'],
  [1024 ** 2, 'MB'],
  [1024, 'kB'],
] as const;

/** Formats a duration exactly, as `parseDuration` reads it: `90s`, `10min`. */
export function durationText(ms: number): string {
  return exactly(ms, spans, 'ms');
}

/** Formats a size exactly, as `parseSize` reads it: `8GB`. */
export function sizeText(amount: number): string {
  return exactly(amount, sizes, '');
}

/** Formats an amount in the largest unit that needs no fraction. */
function exactly(amount: number, units: readonly (readonly [number, string])[], rest: string): string {
  const [one, name] = units.find(([step]) => amount % step === 0) ?? [1, rest];
  return `${amount / one}${name}`;
}
