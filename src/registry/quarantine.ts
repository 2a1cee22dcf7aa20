import { type Diagnostic, diagnostic } from '../core/diagnostics.ts';
import { SkillError } from '../core/errors.ts';
import { oneLine, shellWord } from '../core/text/text.ts';
import type { Skill } from '../skill/types.ts';

/** Skills that a scan keeps from being loaded and run, by their real folders. */
export type Quarantine = ReadonlyMap<string, QuarantineEntry>;

export interface QuarantineEntry {
  /** The digest of all files, as they were scanned. */
  readonly digest: string;
  /** The worst finding, in words. */
  readonly found: string;
  /** The name of one that was kept out before it was installed, so that no folder of skills has it. */
  readonly name?: string;
}

function hintFor(name: string, digest: string): string {
  const word = shellWord(name);
  return `Review it: repertoire scan ${word}. To let this version out: repertoire allow ${word} --digest ${digest} --reason TEXT`;
}

/** The error for a request of a skill in quarantine. */
export function quarantineError(name: string, { digest, found }: QuarantineEntry): SkillError {
  return new SkillError('denied', `skill '${name}' is in quarantine: ${oneLine(found)}`, {
    hint: hintFor(name, digest),
  });
}

/** The diagnostic for doctor and lists. */
export function quarantineDiagnostic(
  { file, fullName }: Pick<Skill, 'file' | 'fullName'>,
  { digest, found }: QuarantineEntry,
): Diagnostic {
  const message = `"${fullName}" is in quarantine, and loaded and run by nobody: ${oneLine(found)}`;
  return diagnostic('quarantined', file, message, hintFor(fullName, digest));
}
