import { fold, printable } from '../../core/text/text.ts';
import type { Limits } from './limits.ts';

/** Parts that no path may have on any machine, since skills are shared between all of them. */
const forbidden: readonly (readonly [(part: string) => boolean, string])[] = [
  [(part) => part === '..', 'its name leads out of the folder'],
  [(part) => part === '' || part === '.', 'its name has an empty part'],
  [(part) => !part.isWellFormed(), 'its name is not valid Unicode'],
  [(part) => printable(part) !== part || part.includes('\t') || part.includes('\n'), 'its name has hidden characters'],
  [(part) => /[\\<>:"|?*]/.test(part), 'its name has a character that Windows does not allow'],
  [(part) => /[. ]$/.test(part), 'its name ends with a dot or a space, which Windows drops'],
  [
    (part) => /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?:\.|$)/i.test(part),
    'its name is that of a device on Windows',
  ],
  [(part) => fold(part) === '.git' || /^git~\d+$/i.test(part), 'it is Git’s own, and programs would obey it'],
];

/** Splits a path as an archive or a tree has it; the parts are judged apart. Leading `./` and a closing `/` say nothing. */
export function partsOf(path: string): readonly string[] {
  const plain = path.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '');
  return plain === '' || plain === '.' ? [] : plain.split('/');
}

/** The reason why nothing may have this path, or null. */
export function problemWithPath(
  path: string,
  { nameBytes, pathBytes, depth }: Pick<Limits, 'nameBytes' | 'pathBytes' | 'depth'>,
): string | null {
  if (path.startsWith('/')) return 'its name is absolute';
  const parts = partsOf(path);
  if (parts.length > depth) return `it lies more than ${depth} folders deep`;
  if (Buffer.byteLength(path) > pathBytes) return `its path is longer than ${pathBytes} bytes`;
  for (const part of parts) {
    const [, reason] = forbidden.find(([is]) => is(part)) ?? [];
    if (reason !== undefined) return reason;
    if (Buffer.byteLength(part) > nameBytes) return `its name is longer than ${nameBytes} bytes`;
  }
  return null;
}

/** A path as file systems that know no letter case and normalize Unicode see it. */
export function foldedPath(path: string): string {
  return fold(path);
}

/** Decodes a name from strangers' bytes; null where they are not UTF-8. */
export function nameFrom(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
