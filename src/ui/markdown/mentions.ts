import { fileNamed, type Place } from './address.ts';

/** A piece of a text; one that mentions a file of the skill has its path. */
export interface Mention {
  readonly text: string;
  readonly path: string | null;
}

/** Words that may be paths of files: with an extension, below a folder or not. */
const pathLike = /(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,9}(?![\w/])/g;
/** Characters of the longest piece of text that is looked at, and files up to which it is. */
const [longest, mostFiles] = [20_000, 5000];

/** A text in pieces, of which some mention files of the skill. */
export function mentionsIn(text: string, place: Place): readonly Mention[] {
  const { files = [] } = place;
  if (files.length === 0 || files.length > mostFiles || text.length > longest) return [{ text, path: null }];
  const pieces: Mention[] = [];
  let at = 0;
  for (const match of text.matchAll(pathLike)) {
    const path = mentioned(match[0], place);
    if (path === null) continue;
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), path: null });
    pieces.push({ text: match[0], path });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), path: null });
  return pieces;
}

/** The file that a word means: from the skill's folder, or from the folder of the text. The text itself is no news. */
export function mentioned(word: string, { path, files = [] }: Place): string | null {
  const plain = word.replace(/^\.\//, '');
  const folder = path.split('/').slice(0, -1);
  const found = fileNamed(plain, files) ?? (folder.length > 0 ? fileNamed([...folder, plain].join('/'), files) : null);
  return found === path ? null : found;
}
