import type { ActivityRow } from '../../engine/operations/activity.ts';
import type { AuditRow } from '../../engine/operations/audit.ts';
import type { Said } from '../parts/words.ts';
import { resultWords } from './filters.ts';

const tones: ReadonlyMap<string, Said['tone']> = new Map([
  ['running', ''],
  ['cancelled', 'warn'],
  ['granted', 'good'],
  ['narrowed', 'warn'],
  ['revoked', 'warn'],
]);

/** What came of an execution. Records may have been tampered with, and say anything. */
export function outcomeOf({ result, exitCode }: Pick<AuditRow, 'result' | 'exitCode'>): Said {
  if (result === 'exited' && exitCode === 0) return { tone: 'good', text: 'succeeded' };
  if (result === 'exited') return { tone: 'warn', text: `failed with ${exitCode ?? 'no code'}` };
  return { tone: tones.get(result) ?? 'bad', text: reasonInWords(result) };
}

function reasonInWords(result: string): string {
  return Object.hasOwn(resultWords, result) ? resultWords[result as keyof typeof resultWords] : result;
}

/** What came of anything. */
export function activityOutcome({ what, outcome, hits }: Pick<ActivityRow, 'what' | 'outcome' | 'hits'>): Said {
  if (what === 'searched' && outcome === 'ok') return { tone: '', text: `${hits ?? 0} found` };
  if (outcome === 'ok') return { tone: 'good', text: what === 'ran' ? 'succeeded' : 'ok' };
  const exitCode = /^exited (\d+)$/.exec(outcome)?.[1];
  if (exitCode !== undefined) return outcomeOf({ result: 'exited', exitCode: Number(exitCode) });
  return { tone: tones.get(outcome) ?? 'bad', text: reasonInWords(outcome) };
}

/** `mcp (claude-code)`: by which door, and the name that the client gave itself. */
export function callerOf({ by, client, user }: Pick<AuditRow, 'by' | 'client' | 'user'>): string {
  const through = client === undefined ? String(by) : `${by} (${client})`;
  return user === undefined ? through : `${user}, ${through}`;
}

/** The time for today, and the day before it for any other day. */
export function shortMoment(iso: string, now: Date, locale?: string): string {
  const then = new Date(iso);
  const time = then.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  if (then.toDateString() === now.toDateString()) return time;
  const isThisYear = then.getFullYear() === now.getFullYear();
  const day = then.toLocaleDateString(locale, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
  });
  return `${day}, ${time}`;
}

/** Whatever a record holds, as text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, null, 2) ?? 'nothing';
}
