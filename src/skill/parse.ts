import { isUtf8 } from 'node:buffer';
import { isClosingFence } from './fences.ts';
import { skillOf } from './fields.ts';
import { inFile, readFrontmatter } from './frontmatter.ts';
import { hiddenIn } from './hidden-text.ts';
import { Notes } from './notes.ts';
import type { ParseResult } from './types.ts';

/** What a file's bytes say, leniently: whatever has a name and a description is a skill, and every liberty is noted. */
export function parseSkill(bytes: Buffer, file: string, folder: string): ParseResult {
  const notes = new Notes(file);
  const text = decode(bytes, notes);
  const read = text === null ? null : readFrontmatter(text, notes);
  if (read === null) return notes.none();
  const hidden = hiddenIn(bytes, file);
  if (hidden !== null) notes.list.push(hidden);
  const { entries, firstLine, repaired } = read;
  const place = (at: { line: number; column: number }) => inFile(at, firstLine);
  return { skill: skillOf(entries, { notes, folder, place, firstLine, repaired }), diagnostics: notes.list };
}

/** UTF-8, with what is not shown as such; null for text that was never UTF-8 at all. */
function decode(bytes: Buffer, notes: Notes): string | null {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16 || bytes.subarray(0, 512).includes(0)) {
    notes.add('text-encoding', 'the file is UTF-16 or binary, not UTF-8 text', 'Save SKILL.md as UTF-8.');
    return null;
  }
  if (isUtf8(bytes)) return bytes.toString('utf8', 0, headEnd(bytes));
  const text = bytes.toString('utf8');
  const bad = text.indexOf('\ufffd');
  const at = { line: text.slice(0, bad).split('\n').length, column: bad - text.lastIndexOf('\n', bad - 1) };
  notes.add('text-invalid-utf8', 'bytes that are not UTF-8 are shown as \ufffd', 'Save SKILL.md as UTF-8.', at);
  return text;
}

/**
 * Where the front matter ends, fence included. Only this much becomes text: what is cut from it would otherwise keep
 * the whole file in memory. A file that does not start with a fence is taken whole.
 */
function headEnd(bytes: Buffer): number {
  const start = bytes[0] === 0xef ? 3 : 0; // a byte order mark
  if (bytes.toString('latin1', start, start + 3) !== '---') return bytes.length;
  for (let at = bytes.indexOf('\n---', start); at !== -1; at = bytes.indexOf('\n---', at + 1)) {
    const lineEnd = bytes.indexOf(10, at + 1);
    const end = lineEnd === -1 ? bytes.length : lineEnd;
    if (isClosingFence(bytes.toString('latin1', at + 1, end).replace(/\r$/, ''))) return end;
  }
  return bytes.length;
}
