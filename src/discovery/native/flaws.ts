import type { Diagnostic, DiagnosticCode } from '../../core/diagnostics.ts';
import { readRegularPart } from '../../core/disk/files.ts';
import { below } from '../../core/disk/paths.ts';
import { keepRecent } from '../../core/recent.ts';
import type { Skill } from '../../skill/types.ts';
import { colonInValue } from '../../skill/yaml.ts';
import type { Flaw } from './types.ts';

const flawOf: Partial<Record<DiagnosticCode, Flaw>> = {
  'frontmatter-repaired': 'yaml',
  'frontmatter-not-first': 'odd',
  'field-duplicate': 'odd',
};

/** The flaws of each file that other readers may stumble over. */
export function flawsByFile(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, ReadonlySet<Flaw>> {
  const flaws = new Map<string, Set<Flaw>>();
  for (const { code, file, message } of diagnostics) {
    const flaw = flawOf[code];
    if (flaw === undefined) continue;
    const all = flaws.get(file) ?? new Set();
    flaws.set(file, all.add(flaw === 'yaml' ? repairedFlaw(message) : flaw));
  }
  return flaws;
}

/**
 * The flaw behind a repair. Unclosed fences are mended under the same code as bad YAML, and quoting does not help
 * against them.
 */
function repairedFlaw(message: string): Flaw {
  if (message.includes('never closed')) return 'odd';
  return message.endsWith(`: ${colonInValue}`) ? 'colon' : 'yaml';
}

interface Beginning {
  readonly isMarked: boolean;
  readonly size: number;
}

/** Beginnings by digest of the file: the same text has the same beginning and the same length. */
const beginnings = new Map<string, Beginning>();
const remembered = 20_000;

/** Reads what our own parser ignores: the size of a SKILL.md, and whether it starts with a byte order mark. */
export function beginningOf({ digest, file }: Pick<Skill, 'digest' | 'file'>): Beginning {
  const known = beginnings.get(digest);
  if (known !== undefined) return known;
  const read = readRegularPart(file, 0, 3);
  const beginning = read.ok
    ? { isMarked: read.value.bytes.toString('hex') === 'efbbbf', size: read.value.stats.size }
    : { isMarked: false, size: 0 };
  keepRecent(beginnings, digest, beginning, remembered);
  return beginning;
}

/** Whether Codex is asked, in its own file for such settings, to leave the skill to people. */
export function isForPeopleInCodex({ dir }: Pick<Skill, 'dir'>): boolean {
  const read = readRegularPart(below(dir, 'agents/openai.yaml'), 0, 64 * 1024);
  return read.ok && /^\s*allow_implicit_invocation\s*:\s*(?!true\b)\S/m.test(read.value.bytes.toString('utf8'));
}
