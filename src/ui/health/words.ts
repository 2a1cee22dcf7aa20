import type { Diagnostic, Severity } from '../../core/diagnostics.ts';
import { durationInWords } from '../../core/text/quantities.ts';
import { counted, grouped } from '../../core/text/text.ts';
import type { HealthOutput, LogLine, WatcherHealth } from '../../engine/operations/machine/health.ts';
import type { Said, Tone } from '../parts/words.ts';

interface Explained extends Said {
  readonly more: string;
}

/** Describes how changes on disk are noticed. */
export function watcherInWords({ state, folders, intervalMs }: WatcherHealth): Explained {
  const every = `every ${durationInWords(intervalMs)}`;
  const all: Readonly<Record<WatcherHealth['state'], Explained>> = {
    whole: { tone: 'good', text: 'watching', more: `${counted(folders, 'folder')}; changes are seen immediately.` },
    behind: { tone: 'warn', text: 'behind', more: `${counted(folders, 'folder')}; changes are being read.` },
    partial: {
      tone: 'warn',
      text: 'in part',
      more: `${counted(folders, 'folder')}; changes in others are seen ${every}.`,
    },
    off: { tone: '', text: 'at intervals', more: `Changes are seen ${every}.` },
  };
  return all[state];
}

/** Describes the progress of the index. */
export function indexInWords({ ready, total, growing }: HealthOutput['index']): Explained {
  const more = `${grouped(ready)} of ${counted(total, 'skill')}`;
  if (total === 0) return { tone: '', text: 'empty', more: 'There are no skills to search.' };
  if (ready >= total) return { tone: 'good', text: 'ready', more };
  if (growing) return { tone: 'warn', text: 'growing', more: `${more}; the others follow` };
  return { tone: '', text: 'in part', more: `${more}; it is completed with the next search` };
}

const levels: Readonly<Record<string, Tone>> = { error: 'bad', warn: 'warn', info: 'good' };

export function toneOfLevel(level: string): Tone {
  return Object.hasOwn(levels, level) ? (levels[level] ?? '') : '';
}

/** The time since something began, in the largest two units. */
export function lastingInWords(since: string, now: number): string {
  const minutes = Math.floor(Math.max(0, now - Date.parse(since)) / 60_000);
  if (minutes < 1) return 'less than a minute';
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days > 0) return `${counted(days, 'day')} ${counted(hours, 'hour')}`;
  return hours > 0 ? `${counted(hours, 'hour')} ${minutes % 60} min` : counted(minutes, 'minute');
}

export interface SeverityGroup {
  readonly severity: Severity;
  readonly tone: '' | 'warn' | 'bad';
  readonly one: string;
  readonly diagnostics: readonly Diagnostic[];
}

const kinds = [
  { severity: 'error', tone: 'bad', one: 'error' },
  { severity: 'warning', tone: 'warn', one: 'warning' },
  { severity: 'info', tone: '', one: 'note' },
] as const;

/** Groups diagnostics by severity, the gravest first; empty groups are left out. */
export function groupsOf(diagnostics: readonly Diagnostic[]): readonly SeverityGroup[] {
  return kinds
    .map((kind) => ({ ...kind, diagnostics: diagnostics.filter(({ severity }) => severity === kind.severity) }))
    .filter((group) => group.diagnostics.length > 0);
}

/** The place as editors understand it, with line and column. */
export function whereOf({ file, line, column }: Pick<Diagnostic, 'file' | 'line' | 'column'>): string {
  return line === null ? file : `${file}:${line}:${column ?? 1}`;
}

/** Lines of the log, those that say the same one after the other folded into the last of them. */
export function foldedLines(log: readonly LogLine[]): readonly (LogLine & { readonly times: number })[] {
  const folded: (LogLine & { times: number })[] = [];
  for (const line of log) {
    const last = folded.at(-1);
    const isSame = last?.message === line.message && last.level === line.level;
    if (isSame) folded[folded.length - 1] = { ...line, times: last.times + 1 };
    else folded.push({ ...line, times: 1 });
  }
  return folded;
}
