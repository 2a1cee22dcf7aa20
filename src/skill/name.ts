import { codePointOf, replaceHidden } from '../core/text/hidden.ts';
import { normalize, oneLine } from '../core/text/text.ts';
import type { Skill } from './types.ts';

/** A written name on one line, in NFC, with hidden characters made visible. */
export function plainName(written: string): string {
  return normalize(oneLine(replaceHidden(written, (character) => `[${codePointOf(character)}]`)));
}

/** The published form of a written name: never anything that could be a path, an option or a filter. */
export function labelOf(written: string, folder: string): string {
  const plain = plainName(written);
  if (plain === '') return plainName(folder);
  if (!isPathLike(plain) && !/^[-@]/.test(plain)) return plain;
  return safeName(plain) || safeName(plainName(folder)) || 'skill';
}

function safeName(plain: string): string {
  const parts = plain.split(/[/\\\0]+/).filter((part) => part !== '' && part !== '.' && part !== '..');
  const joined = parts.join('-').replace(/\.{2,}/g, '.');
  return joined === '.' ? '' : joined.replace(/^[-@\s]+/, '').trimEnd();
}

/** Whether a requested name could name a path. Such a request is refused, never looked up. */
export function isPathLike(name: string): boolean {
  return /[/\\\0]/.test(name) || name.includes('..');
}

/**
 * Whether a skill goes by the name its author gave it: where another one in its root has that, it goes by its folder's.
 */
export function hasOwnName({ name, fullName }: { readonly name: string; readonly fullName: string }): boolean {
  return fullName === name || fullName.endsWith(`:${name}`);
}

/** The name a skill goes by, without its plugin. */
export function calledName({ fullName, pluginName }: Pick<Skill, 'fullName' | 'pluginName'>): string {
  return pluginName === null ? fullName : fullName.slice(pluginName.length + 1);
}

/** The last segment: the shortest name of a skill. */
export function shortNameOf(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf(':') + 1);
}
