import type { Diagnostic, Severity } from '../../kernel/diagnostics.ts';

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

/** By severity, the gravest first; those that do not occur are left out. */
export function groupsOf(diagnostics: readonly Diagnostic[]): readonly SeverityGroup[] {
  return kinds
    .map((kind) => ({ ...kind, diagnostics: diagnostics.filter(({ severity }) => severity === kind.severity) }))
    .filter((group) => group.diagnostics.length > 0);
}

/** The place as editors understand it. */
export function whereOf({ file, line, column }: Pick<Diagnostic, 'file' | 'line' | 'column'>): string {
  return line === null ? file : `${file}:${line}:${column ?? 1}`;
}
