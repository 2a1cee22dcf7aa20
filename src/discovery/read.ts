import { basename } from 'node:path';
import { type Diagnostic, diagnostic } from '../kernel/diagnostics.ts';
import { readRegularFile } from '../kernel/files.ts';
import { sha256 } from '../kernel/hash.ts';
import { limits } from '../skill/limits.ts';
import type { CacheEntry } from './cache.ts';
import { signatureOf } from './listing.ts';
import type { RootCache } from './root-cache.ts';
import type { FoundSkill } from './walk.ts';

let parseSkill: typeof import('../skill/parse.ts').parseSkill | undefined;

/** Reads and parses one file. The parser is loaded with the first file that needs it: a warm start never does. */
export async function readFound(found: FoundSkill, cache: RootCache): Promise<CacheEntry> {
  const readAt = Date.now();
  const content = readRegularFile(found.realFile, limits.fileBytes);
  if (!content.ok) return unreadable(content.reason);
  const { bytes, stats } = content.value;
  parseSkill ??= (await import('../skill/parse.ts')).parseSkill;
  const { skill, diagnostics } = parseSkill(bytes, '', basename(found.real));
  const entry = { signature: signatureOf(stats), digest: `sha256:${sha256(bytes)}`, skill, diagnostics };
  cache.keepEntry(found.real, entry, stats, readAt);
  return entry;
}

/** FIFOs, devices, sockets and links put in the file's place at the last moment. */
const notRegular = new Set(['not a regular file', 'ENXIO', 'ELOOP', 'EISDIR', 'ENODEV']);

function unreadable(reason: string): CacheEntry {
  return { signature: [0, 0, 0, 0], digest: '', skill: null, diagnostics: [unreadableSkill('', reason)] };
}

/** What to say of a SKILL.md that could not be read, for whichever reason. */
export function unreadableSkill(file: string, reason: string): Diagnostic {
  if (reason.startsWith('larger')) {
    const remedy = 'Shorten it, or move parts of it into references/.';
    return diagnostic('file-too-large', file, `SKILL.md is ${reason}`, remedy);
  }
  if (notRegular.has(reason)) {
    const message = 'SKILL.md is not a regular file; it is not read';
    return diagnostic('file-not-regular', file, message, 'Replace it by a plain file.');
  }
  const message = `SKILL.md cannot be read (${reason})`;
  return diagnostic('file-unreadable', file, message, 'Give yourself permission to read it.');
}
