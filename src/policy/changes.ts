import { byText, oneLine } from '../kernel/text.ts';
import type { FileDigests, Grant } from './types.ts';

/** What is different in a skill since it was granted something. Paths, in order. */
export interface Changes {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export function changesSince({ files: before }: Pick<Grant, 'files'>, files: FileDigests): Changes {
  const paths = (one: FileDigests, holds: (path: string) => boolean) => Object.keys(one).filter(holds).sort(byText);
  return {
    changed: paths(files, (path) => Object.hasOwn(before, path) && before[path] !== files[path]),
    added: paths(files, (path) => !Object.hasOwn(before, path)),
    removed: paths(before, (path) => !Object.hasOwn(files, path)),
  };
}

const fewEnough = 5;

/** A sentence for each, and a number for those that are too many. */
export function changesInWords({ changed, added, removed }: Changes): string[] {
  const all = [
    ...changed.map((path) => `${oneLine(path)} has changed`),
    ...added.map((path) => `${oneLine(path)} is new`),
    ...removed.map((path) => `${oneLine(path)} is gone`),
  ];
  return all.length <= fewEnough ? all : [...all.slice(0, fewEnough), `and ${all.length - fewEnough} more`];
}
