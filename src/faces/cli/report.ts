import type { Diagnostic, DiagnosticCode } from '../../core/diagnostics.ts';
import { displayPath } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { oneLine, printable } from '../../core/text/text.ts';
import { beforeDashes } from './args.ts';
import { commandMeant } from './commands.ts';
import { exitCodeOf, exitCodes } from './exit.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Reports an error and what to do next. Returns the exit code. */
export async function reportError(error: unknown, argv: readonly string[], terminal: Terminal): Promise<number> {
  if (!(error instanceof SkillError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    terminal.note(`repertoire: this is a bug, please report it\n${printable(text)}\n`);
    return exitCodes.bug;
  }
  const { code, message, candidates } = error;
  const isUsage = code === 'usage';
  const suggestions = isUsage ? await nearest(message, error.suggestions) : error.suggestions;
  const hint = error.hint ?? (isUsage ? await helpHint(argv) : null);
  if (beforeDashes(argv).includes('--json')) {
    const text = `${JSON.stringify({ error: { code, message, hint, suggestions, candidates } })}\n`;
    if (isWritten(text, terminal)) return exitCodeOf[code];
  }
  const lines = [
    `${terminal.style('red', 'error:')} ${printable(message)}`,
    ...(isUsage && suggestions.length > 0 ? [`Did you mean ${suggestions.join(' or ')}?`] : []),
    ...(hint === null ? [] : [printable(hint)]),
  ];
  terminal.note(`${lines.join('\n')}\n`);
  return exitCodeOf[code];
}

/** Whether the text could be written. Where stdout cannot be written, as on a full disk, people read it on stderr. */
function isWritten(text: string, terminal: Terminal): boolean {
  try {
    terminal.write(text);
    return true;
  } catch (error) {
    if (error instanceof SkillError) return false;
    throw error;
  }
}

async function helpHint(argv: readonly string[]): Promise<string> {
  const known = await commandMeant(argv).catch(() => undefined);
  return `Try repertoire ${known === undefined ? '' : `${known.name} `}--help.`;
}

/** Suggests options or commands that are close to the one that was typed. */
async function nearest(message: string, all: readonly string[]): Promise<readonly string[]> {
  const [, dashes = '', typed] = /(?:option|command) '?(-*)([^']+)'?$/.exec(message) ?? [];
  if (typed === undefined || all.length === 0) return [];
  const { suggest } = await import('../../core/text/near.ts');
  // Dashes are no letters that two options have in common.
  const words = all.map((one) => one.replace(/^-+/, ''));
  return suggest(typed, words, 3).map((word) => (dashes === '' ? word : `--${word}`));
}

export interface NoteContext {
  /** Whether all notes are wanted. */
  readonly verbose: boolean;
  readonly environment: Environment;
  readonly terminal: Terminal;
}

/** Codes of diagnostics about something that the user has just typed. */
const typed: ReadonlySet<DiagnosticCode> = new Set(['filter-no-match', 'root-missing', 'cluster-lost']);

/**
 * Prints diagnostics: a filter that matches nothing, a missing folder and a cluster out of reach always; the rest with
 * `--verbose`.
 */
export function printNotes(diagnostics: readonly Diagnostic[], { verbose, environment, terminal }: NoteContext): void {
  for (const { code, severity, file, line, message, remedy } of diagnostics) {
    const isTyped = typed.has(code);
    if (!verbose && !isTyped) continue;
    const place = isTyped ? '' : `${displayPath(file, environment)}${line === null ? '' : `:${line}`}: `;
    terminal.note(`${severity}: ${oneLine(`${place}${message}. ${remedy}`)}\n`);
  }
}
