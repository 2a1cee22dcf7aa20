import { hrefOf, route } from '../route.ts';
import type { Target } from './tree.ts';

/** The text that is shown: its skill and its file. */
export interface Place {
  readonly skill: string;
  readonly path: string;
}

/** The query parameter that names a place in a text. */
export const anchorKey = 'at';

const mainFile = 'SKILL.md';

/** The address of the page that shows a file of a skill; the main one is on the page of the skill itself. */
export function fileHref(skill: string, path: string, anchor = ''): string {
  return hrefOf('skill', path === mainFile ? [skill] : [skill, 'file', ...path.split('/')], { [anchorKey]: anchor });
}

/** The address in the console that a link leads to; null where it leads nowhere. */
export function hrefTo(to: Target, { skill }: Place): string | null {
  switch (to.kind) {
    case 'file':
      return fileHref(skill, to.path, to.anchor);
    case 'anchor':
      return hrefOf(route.value.page, route.value.rest, { [anchorKey]: to.anchor });
    case 'outside':
      return to.href;
    case 'nowhere':
      return null;
  }
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
