import { basename } from 'node:path';
import { type Diagnostic, diagnostic } from '../core/diagnostics.ts';
import { readRegularFile, remedyFor } from '../core/disk/files.ts';
import { signatureOf } from '../core/disk/signature.ts';
import { sha256 } from '../core/hash.ts';
import { limits } from '../skill/types.ts';
import type { CacheEntry } from './cache.ts';
import type { RootCache } from './root-cache.ts';
import type { FoundSkill } from './walk.ts';

let parseSkill: typeof import('../skill/parse.ts').parseSkill | undefined;

/**
 * A buffer that all files share: thousands in a row would each leave one behind, and a server would carry them for
 * long.
 */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** Milliseconds after its last change in which an unreadable file may be one that is still being written. */
const writingMs = 2000;

/**
 * The content of a SKILL.md; and, if that is its previous content because it was caught half-written, when to read it
 * again.
 */
export interface Reading extends CacheEntry {
  readonly lookAgainAt?: number;
}

/** Reads and parses one file. The parser is loaded with the first file that needs it: a warm start never does. */
export async function readFound(found: FoundSkill, cache: RootCache): Promise<Reading> {
  parseSkill ??= (await import('../skill/parse.ts')).parseSkill;
  const readAt = Date.now();
  // Nothing is awaited from here on, so that one buffer serves all files.
  const content = readRegularFile(found.realFile, limits.fileBytes, scratch);
  if (!content.ok) return unreadable(content.reason);
  const { bytes, stats } = content.value;
  const { skill, diagnostics } = parseSkill(bytes, '', basename(found.real));
  if (skill === null || skill.repaired) {
    const before = beforeWriting(found, cache, stats.mtimeMs, readAt);
    // A sound skill does not become one in need of mending on purpose: without its end it may even go by half its name.
    if (before !== undefined && (skill === null || !before.skill?.repaired)) {
      cache.keepPrevious(found.real, before);
      return { ...before, lookAgainAt: stats.mtimeMs + writingMs };
    }
  }
  const entry = { signature: signatureOf(stats), digest: `sha256:${sha256(bytes)}`, skill, diagnostics };
  cache.keepEntry(found.real, entry, stats, readAt);
  return entry;
}

/** The content in the previous scan, if the file was written so recently that its writer may not be done. */
function beforeWriting(found: FoundSkill, cache: RootCache, writtenAt: number, now: number): CacheEntry | undefined {
  // A time that lies further ahead is a sign of a wrong clock, not of a writer at work.
  return Math.abs(now - writtenAt) < writingMs ? cache.previous(found.real) : undefined;
}

/**
 * Reasons for files that are not regular: FIFOs, devices, sockets, and links put in the file's place at the last
 * moment.
 */
const notRegular = new Set(['not a regular file', 'ENXIO', 'ELOOP', 'EISDIR', 'ENODEV']);

function unreadable(reason: string): CacheEntry {
  return { signature: [0, 0, 0, 0], digest: '', skill: null, diagnostics: [unreadableSkill('', reason)] };
}

/** The diagnostic for a SKILL.md that could not be read, for whichever reason. */
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
  return diagnostic('file-unreadable', file, message, remedyFor(reason, 'Give yourself permission to read it.'));
}
