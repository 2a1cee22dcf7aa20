import { join } from 'node:path';
import { readRegularFile } from '../../core/disk/files.ts';
import type { Environment } from '../../core/environment.ts';
import { unifiedDiff } from '../../core/text/diff.ts';
import { byText, counted, oneLine } from '../../core/text/text.ts';
import type { Planned } from '../../get/install/plan.ts';
import { type Kept, kept } from '../../get/install/store.ts';

/** Bytes of the longest file that is compared, and characters of the longest diff: nobody reads more. */
const [mostBytes, mostCharacters] = [200_000, 1_000_000];

/**
 * The change to the files of a skill since the version that was got before, as `diff -u` writes it; all of them, where
 * there was none. Whatever is not shown is told: nobody should agree to what they take for all of it.
 */
export async function fileDiff({ incoming, previous }: Planned, environment: Environment): Promise<string> {
  if (incoming === null) return '';
  const before = previous === null ? null : await kept(environment, previous);
  const after = incoming.kept;
  const paths = [...new Set([...Object.keys(before?.files ?? {}), ...Object.keys(after.files)])];
  const changed = paths.filter((path) => before?.files[path] !== after.files[path]).sort(byText);
  let diff = '';
  for (const [at, path] of changed.entries()) {
    if (diff.length > mostCharacters)
      return diff + remark('…', `${counted(changed.length - at, 'more file')}, not shown`);
    diff +=
      unifiedDiff(textOf(before, path), textOf(after, path), oneLine(path)) || remark(path, 'not text, or too long');
  }
  return diff;
}

/** A line of our own in the place of what is not shown. */
function remark(path: string, words: string): string {
  return `--- ${oneLine(path)}\n+++ ${oneLine(path)}\n@@ -0,0 +1 @@\n+(${words})\n`;
}

/** The text of a file in the store; a remark instead of one that is no text or too long, and null where there is none. */
function textOf(side: Kept | null, path: string): string | null {
  if (side?.files[path] === undefined) return null;
  const read = readRegularFile(join(side.folder, path), mostBytes);
  if (!read.ok) return '(not shown: too long)\n';
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(read.value.bytes);
  } catch {
    return '(not shown: no text)\n';
  }
}
