import { relative, sep } from 'node:path';
import type { Diagnostic, Severity } from '../../../core/diagnostics.ts';
import { isInside } from '../../../core/disk/paths.ts';
import { printable } from '../../../core/text/text.ts';
import { titleOf } from './titles.ts';

const commandFor: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

/** Formats findings as workflow commands, which GitHub shows beside the lines they are about. */
export function githubLines(findings: readonly Diagnostic[], cwd: string): string[] {
  return findings.map(({ severity, code, message, remedy, ...place }) =>
    workflowLine(
      { ...place, command: commandFor[severity], title: titleOf(code), text: `${message}. ${remedy} (${code})` },
      cwd,
    ),
  );
}

/** One finding of any kind, as a workflow command has it. */
interface Annotation {
  readonly command: string;
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly title: string;
  readonly text: string;
}

export function workflowLine({ command, file, line, column, title, text }: Annotation, cwd: string): string {
  const properties = [
    `file=${property(pathFrom(cwd, file))}`,
    ...(line === null ? [] : [`line=${line}`]),
    ...(column === null ? [] : [`col=${column}`]),
    `title=${property(title)}`,
  ];
  return `::${command} ${properties.join(',')}::${data(text)}`;
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
