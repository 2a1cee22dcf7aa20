/** A draft that was not saved, with the digest of the file that it was made from. */
export interface KeptDraft {
  readonly text: string;
  readonly digest: string | null;
}

/** Characters of the longest draft that is kept: browsers keep few millions for a whole site. */
const longest = 500_000;

function keyOf(file: string, path: string): string {
  return `draft ${file} ${path}`;
}

/** The draft that this browser has kept for a file; null where there is none. */
export function keptDraft(file: string, path: string): KeptDraft | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf(file, path)) ?? 'null');
    if (typeof value !== 'object' || value === null || !('text' in value) || !('digest' in value)) return null;
    const { text, digest } = value;
    return typeof text === 'string' && (digest === null || typeof digest === 'string') ? { text, digest } : null;
  } catch {
    return null;
  }
}

/** Keeps a draft, or forgets it; false where the browser cannot keep it. */
export function keepDraft(file: string, path: string, draft: KeptDraft | null): boolean {
  try {
    if (draft === null) localStorage.removeItem(keyOf(file, path));
    else if (draft.text.length > longest) return false;
    else localStorage.setItem(keyOf(file, path), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}
