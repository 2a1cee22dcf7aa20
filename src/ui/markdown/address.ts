import { hrefOf, route } from '../route.ts';
import type { Target } from './tree.ts';

/** A skill as addresses name it. */
export interface Named {
  readonly skill: string;
  /** The skill's SKILL.md, where the name leads to another one or to none; empty where the name will do. */
  readonly of: string;
}

/** The text that is shown: its skill and its file. */
export interface Place extends Named {
  readonly path: string;
  /** The files of the skill, to be recognized where the text mentions them. */
  readonly files?: readonly string[];
}

/** The query parameters that name a place in a text, and a skill that its name does not lead to. */
export const anchorKey = 'at';
export const ofKey = 'of';
/** The query parameter of a file that is to be made. */
export const newKey = 'new';

const mainFile = 'SKILL.md';
type Query = Readonly<Record<string, string>>;

/** The address of a skill's page, or of one below it. */
export function skillHref({ skill, of }: Named, rest: readonly string[] = [], query: Query = {}): string {
  return hrefOf('skill', [skill, ...rest], { [ofKey]: of, ...query });
}

/** The address of the page that shows a file of a skill; the main one is on the page of the skill itself. */
export function fileHref(named: Named, path: string, anchor = ''): string {
  return skillHref(named, path === mainFile ? [] : ['file', ...path.split('/')], { [anchorKey]: anchor });
}

/** The address of a line in the source of a file. */
export function lineHref(named: Named, path: string, line: number | null): string {
  return skillHref(named, ['file', ...path.split('/')], { line: line === null ? '' : String(line), view: 'source' });
}

/** The address of the editor of a file, at a line. */
export function editHref(named: Named, path: string, line: number | null = null): string {
  return skillHref(named, ['edit', ...path.split('/')], { line: line === null ? '' : String(line) });
}

/** The address of the editor of a SKILL.md that could not be used as it is; null for any other file. */
export function mendHref(file: string, line: number | null): string | null {
  const [name = '', folder = ''] = file.split(/[/\\]/).reverse();
  return name.toLowerCase() === 'skill.md' ? editHref({ skill: folder, of: file }, mainFile, line) : null;
}

/** The address of the editor of a file that does not exist yet. */
export function newFileHref(named: Named, path: string): string {
  return skillHref(named, ['edit', ...path.split('/')], { [newKey]: 'file' });
}

/** The address in the console that a link leads to; null where it leads nowhere. */
export function hrefTo(to: Target, place: Place): string | null {
  switch (to.kind) {
    case 'file':
      return fileHref(place, fileNamed(to.path, place.files ?? []) ?? to.path, to.anchor);
    case 'anchor':
      return hrefOf(route.value.page, route.value.rest, { [ofKey]: place.of, [anchorKey]: to.anchor });
    case 'outside':
      return to.href;
    case 'nowhere':
      return null;
  }
}

/** The file that is meant by a path, whatever its letter case; null where there is none, or more than one. */
export function fileNamed(path: string, files: readonly string[]): string | null {
  if (files.includes(path)) return path;
  const alike = files.filter((one) => one.toLowerCase() === path.toLowerCase());
  return alike.length === 1 ? (alike[0] ?? null) : null;
}

/** Scrolls to a place in the text. Ids have a prefix of ours, so that none can be taken for another. */
export function goToAnchor(anchor: string): boolean {
  const found =
    document.getElementById(idOfAnchor(anchor)) ?? document.getElementById(idOfAnchor(anchor.toLowerCase()));
  found?.scrollIntoView();
  found?.focus({ preventScroll: true });
  return found !== null;
}

export function idOfAnchor(anchor: string): string {
  return `text-${anchor}`;
}
