import { normalize, oneLine } from '../kernel/text.ts';
import type { Skill } from './types.ts';

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

/** Whether a skill goes by the name its author gave it: where another one in its root has that, it goes by its folder's. */
export function hasOwnName({ name, fullName }: { readonly name: string; readonly fullName: string }): boolean {
  return fullName === name || fullName.endsWith(`:${name}`);
}

/** What a skill goes by, without its plugin. */
export function calledName({ fullName, pluginName }: Pick<Skill, 'fullName' | 'pluginName'>): string {
  return pluginName === null ? fullName : fullName.slice(pluginName.length + 1);
}

/** The last segment: what a skill is called when nothing else is. */
export function shortNameOf(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf(':') + 1);
}
