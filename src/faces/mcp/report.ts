import type { Diagnostic, DiagnosticCode } from '../../core/diagnostics.ts';
import type { Logger } from '../../core/log.ts';
import { count } from '../../core/text/text.ts';
import type { Snapshot } from '../../registry/snapshot.ts';

/** Codes of diagnostics that hide skills without being about one of them, or give one another name. */
const noted: ReadonlySet<DiagnosticCode> = new Set([
  'filter-no-match',
  'project-not-owned',
  'root-missing',
  'root-unreadable',
  'folder-unreadable',
  'link-outside',
  'link-dangling',
  'walk-limit',
  'plugin-file-invalid',
  'plugin-manifest-invalid',
  'plugin-missing',
  'plugin-path-outside',
  'name-taken',
]);

const repaired: ReadonlySet<DiagnosticCode> = new Set(['frontmatter-repaired', 'frontmatter-not-first']);

/**
 * Number of lines logged. Clients show the log to people at every start: a folder of broken skills must not bury all
 * else.
 */
const mostLines = 50;

/** Logs the outcome of a scan, and the files that could not be used as written. */
export function report({ visible, diagnostics, scan }: Snapshot, ms: number, log: Logger): void {
  log.info(`ready: ${count(visible.length, 'skill')}`, { ms, read: scan.counts.read });
  const skipped = new Set(diagnostics.flatMap(({ severity, file }) => (severity === 'error' ? [file] : [])));
  let lines = 0;
  for (const one of diagnostics) {
    const { file, line, code, message } = one;
    const facts = { file, line: line ?? undefined, code };
    const text = lineFor(one, skipped);
    if (text !== null && lines++ < mostLines) log.warn(text, facts);
    else log.debug(message, facts);
  }
  if (lines > mostLines) log.warn(`${lines - mostLines} more such lines: repertoire doctor shows all`);
}

function lineFor({ severity, code, file, message }: Diagnostic, skipped: ReadonlySet<string>): string | null {
  if (severity === 'error') return `skipped: ${message}`;
  if (repaired.has(code)) return skipped.has(file) ? null : `repaired: ${message}`;
  return noted.has(code) ? message : null;
}
