import { relative, sep } from 'node:path';
import type { Diagnostic, Severity } from '../../../core/diagnostics.ts';
import { isInside } from '../../../core/disk/paths.ts';
import { printable } from '../../../core/text/text.ts';
import { titleOf } from './titles.ts';

const commandFor: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

/** Formats findings as workflow commands, which GitHub shows beside the lines they are about. */
export function githubLines(findings: readonly Diagnostic[], cwd: string): string[] {
  return findings.map((one) => {
    const properties = [
      `file=${property(pathFrom(cwd, one.file))}`,
      ...(one.line === null ? [] : [`line=${one.line}`]),
      ...(one.column === null ? [] : [`col=${one.column}`]),
      `title=${property(titleOf(one.code))}`,
    ];
    return `::${commandFor[one.severity]} ${properties.join(',')}::${data(`${one.message}. ${one.remedy} (${one.code})`)}`;
  });
}

/** The path with slashes, relative to the working directory where it lies below it. */
export function pathFrom(cwd: string, file: string): string {
  const path = isInside(cwd, file) ? relative(cwd, file) || '.' : file;
  return path.replaceAll(sep, '/');
}

/**
 * Escapes data of a workflow command: the runner ends one at a line end, and decodes these three escapes and no others.
 */
function data(text: string): string {
  return printable(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'));
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
