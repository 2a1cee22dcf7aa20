import type { Diagnostic, DiagnosticCode } from '../../kernel/diagnostics.ts';
import { readRegularPart } from '../../kernel/files.ts';
import { keepRecent } from '../../kernel/recent.ts';
import type { Skill } from '../../skill/types.ts';
import type { Flaw } from './types.ts';

const flawOf: Partial<Record<DiagnosticCode, Flaw>> = {
  'frontmatter-repaired': 'yaml',
  'frontmatter-not-first': 'odd',
  'field-duplicate': 'odd',
};

/** What was noticed of each file that others may stumble over. */
export function flawsByFile(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, ReadonlySet<Flaw>> {
  const flaws = new Map<string, Set<Flaw>>();
  for (const { code, file, message } of diagnostics) {
    const flaw = flawOf[code];
    if (flaw === undefined) continue;
    const all = flaws.get(file) ?? new Set();
    // Fences that are never closed are mended under the same code, and quoting does not help against them.
    flaws.set(file, all.add(message.includes('never closed') ? 'odd' : flaw));
  }
  return flaws;
}

/** By the digest of the file: a text keeps its first bytes for ever. */
const marked = new Map<string, boolean>();
const remembered = 20_000;

/** Whether a SKILL.md starts with a byte order mark, which our own parser does not care about. */
export function startsWithMark({ digest, file }: Pick<Skill, 'digest' | 'file'>): boolean {
  const known = marked.get(digest);
  if (known !== undefined) return known;
  const read = readRegularPart(file, 0, 3);
  const isMarked = read.ok && read.value.bytes.toString('hex') === 'efbbbf';
  keepRecent(marked, digest, isMarked, remembered);
  return isMarked;
}
