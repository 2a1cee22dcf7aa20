import type { Diagnostic } from '../../core/diagnostics.ts';
import { SkillError } from '../../core/errors.ts';
import { oneLine } from '../../core/text/text.ts';

/** The file and line where a project's settings are wrong; null if they are not. */
export function wrongAt([problem]: readonly Diagnostic[]): string | null {
  if (problem === undefined) return null;
  return oneLine(problem.line === null ? problem.file : `${problem.file}:${problem.line}`);
}

/** Refuses to run anything while a project's settings are wrong: they may have meant to forbid it. */
export function refuseWrong(problems: readonly Diagnostic[]): void {
  const place = wrongAt(problems);
  if (place === null) return;
  throw new SkillError('denied', `nothing is run while the project's settings are wrong: ${place}`, {
    hint: '`repertoire doctor` says what is wrong. Fix the file or move it away, and start the server again.',
  });
}

/** Warning that is given before the first tool runs without a sandbox. */
export const noSandbox =
  'NO SANDBOX (--unsafe-no-sandbox): tools run as you, and may read, change and send whatever you can';
