import { basename } from 'node:path';
import { type Diagnostic, diagnostic } from '../core/diagnostics.ts';
import { readRegularFile } from '../core/files.ts';
import { sha256 } from '../core/hash.ts';
import { signatureOf } from '../core/signature.ts';
import { limits } from '../skill/limits.ts';
import type { CacheEntry } from './cache.ts';
import type { RootCache } from './root-cache.ts';
import type { FoundSkill } from './walk.ts';

let parseSkill: typeof import('../skill/parse.ts').parseSkill | undefined;

/** Thousands of files in a row would each leave a buffer behind, and a server would carry them for long. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** For so long a file that cannot be understood may be one that is still being written. */
const writingMs = 2000;

/** What a SKILL.md says; and, where that is what it said before it was caught half-written, when to look again. */
export interface Reading extends CacheEntry {
  readonly lookAgainAt?: number;
}

/** Reads and parses one file. The parser is loaded with the first file that needs it: a warm start never does. */
export async function readFound(found: FoundSkill, cache: RootCache): Promise<Reading> {
  parseSkill ??= (await import('../skill/parse.ts')).parseSkill;
  const readAt = Date.now();
  // From here on nothing is waited for, so that one piece of memory does for all files.
  const content = readRegularFile(found.realFile, limits.fileBytes, scratch);
  if (!content.ok) return unreadable(content.reason);
  const { bytes, stats } = content.value;
  const { skill, diagnostics } = parseSkill(bytes, '', basename(found.real));
  if (skill === null || skill.repaired) {
    const before = beforeWriting(found, cache, stats.mtimeMs, readAt);
    // Mended is not what a sound skill becomes on purpose: without its end it may even go by half its name.
    if (before !== undefined && (skill === null || !before.skill?.repaired)) {
      cache.keepPrevious(found.real, before);
      return { ...before, lookAgainAt: stats.mtimeMs + writingMs };
    }
  }
  const entry = { signature: signatureOf(stats), digest: `sha256:${sha256(bytes)}`, skill, diagnostics };
  cache.keepEntry(found.real, entry, stats, readAt);
  return entry;
}

/** What a file said in the scan before, if it was written so lately that its writer may not be done. */
function beforeWriting(found: FoundSkill, cache: RootCache, writtenAt: number, now: number): CacheEntry | undefined {
  // A time that lies ahead by more is no sign of a writer at work, but of a clock that is wrong.
  return Math.abs(now - writtenAt) < writingMs ? cache.previous(found.real) : undefined;
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
    return diagnostic('file-not-regular', file, message, 'Replace it with a regular file.');
  }
  const message = `SKILL.md cannot be read (${reason})`;
  return diagnostic('file-unreadable', file, message, 'Give yourself permission to read it.');
}
