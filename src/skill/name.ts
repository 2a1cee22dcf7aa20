import { normalize, oneLine } from '../kernel/text.ts';

/** The published form of a written name: on one line, in NFC, and never anything that could be a path. */
export function labelOf(written: string, folder: string): string {
  const plain = normalize(oneLine(written));
  if (plain === '') return normalize(oneLine(folder));
  if (!isPathLike(plain)) return plain;
  const parts = plain.split(/[/\\\0]+/).filter((part) => part !== '' && part !== '.' && part !== '..');
  const withoutDots = (text: string): string => text.replace(/\.{2,}/g, '.');
  const joined = withoutDots(parts.join('-'));
  return joined === '' || joined === '.' ? withoutDots(normalize(oneLine(folder))) : joined;
}

/** Whether a requested name could name a path. Such a request is refused, never looked up. */
export function isPathLike(name: string): boolean {
  return /[/\\\0]/.test(name) || name.includes('..');
}

/** The last segment: what a skill is called when nothing else is. */
export function shortNameOf(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf(':') + 1);
}
