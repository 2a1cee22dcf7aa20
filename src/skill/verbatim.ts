import { isUtf8 } from 'node:buffer';
import { splitFences } from './fences.ts';
import { limits } from './limits.ts';
import type { Frontmatter } from './types.ts';
import { readYaml } from './yaml.ts';

/** A front matter that every YAML parser reads alike, or why it is none. */
export type Verbatim =
  | { readonly ok: true; readonly frontmatter: Frontmatter }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads exactly what a file's front matter says, with nothing mended and nothing guessed: for hosts that compare the
 * two.
 */
export function verbatimFrontmatter(bytes: Buffer): Verbatim {
  if (!isUtf8(bytes)) return no('the file is not UTF-8');
  const text = bytes.toString('utf8');
  const fences = /^\ufeff?---\r?\n/.test(text) ? splitFences(text) : null;
  if (fences?.kind !== 'found') return no('the front matter is not between --- lines at the start of the file');
  if (fences.yaml.length > limits.frontmatterBytes) return no('the front matter is too large');
  const yaml = readYaml(fences.yaml);
  if (yaml.kind !== 'map') return no('the front matter is not strict YAML');
  if (yaml.oddity !== null) return no(`the front matter contains ${yaml.oddity}`);
  const keys = yaml.entries.map((entry) => entry.key);
  if (keys.includes('__proto__')) return no('the front matter contains a key "__proto__"');
  return { ok: true, frontmatter: Object.fromEntries(yaml.entries.map(({ key, value }) => [key, value])) };
}

function no(reason: string): Verbatim {
  return { ok: false, reason };
}
