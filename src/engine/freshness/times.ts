import { SkillError } from '../../core/errors.ts';

/** Description of the fields that give a start time. */
export const fromThen = 'Only from this time on: a date, a time, or 30m, 12h, 7d for that long ago.';

const units: Readonly<Record<string, number>> = { s: 1e3, m: 60e3, h: 3600e3, d: 86_400e3, w: 604_800e3 };

/** Parses a time as people write it: a date, a date with a time, or how long ago. */
export function timeOf(text: string, field: string): Date {
  const [, number, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const time = number === undefined ? new Date(text) : new Date(Date.now() - Number(number) * (units[unit] ?? 0));
  if (!Number.isNaN(time.getTime())) return time;
  throw new SkillError('usage', `${field}: '${text}' is not a valid time`, {
    hint: 'Write 2026-11-15, 2026-11-15T08:30, or 30m, 12h, 7d for that long ago.',
  });
}

export function timeIfGiven(text: string | undefined, field: string): Date | undefined {
  return text === undefined ? undefined : timeOf(text, field);
}
