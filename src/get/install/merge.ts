import { isUtf8 } from 'node:buffer';
import { chmodSync, copyFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readRegularFile } from '../../core/disk/files.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { below } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { choice, count, type Infer, nullable, object, text } from '../../core/schema/schema.ts';
import { mergedText, unifiedDiff } from '../../core/text/diff.ts';
import { byText } from '../../core/text/text.ts';
import { executableMark, type FolderDigest, linkMark, specialMark } from '../../run/policy/digest.ts';
import { type Kept, keep } from './store.ts';

/** A folder with its digests. */
export type Side = FolderDigest & { readonly folder: string };

/** The outcome for a file that the person, the source or both have changed. */
export const mergedFileSchema = object({
  path: text(),
  outcome: choice(['mine', 'theirs', 'merged', 'conflict']),
  conflicts: count('Places where both have changed the same lines.'),
  mine: nullable(text(), 'What you have changed, as a diff; null for a file that is not text.'),
  theirs: nullable(text(), 'What the source has changed.'),
});
export type MergedFile = Infer<typeof mergedFileSchema>;

export type Preferred = 'mine' | 'theirs';

/** Three states of a skill: as it was installed, as it is now, and as the source has it. */
export interface Sides {
  readonly base: Side;
  readonly mine: Side;
  readonly theirs: Side;
}

/** Compares three states of a skill, file by file: those that somebody has changed, in order. */
export function mergedFiles(sides: Sides): readonly MergedFile[] {
  const { base, mine, theirs } = sides;
  const paths = [...new Set([base, mine, theirs].flatMap(({ files }) => Object.keys(files)))].sort(byText);
  const isChanged = (path: string): boolean => [mine, theirs].some(({ files }) => files[path] !== base.files[path]);
  return paths.filter(isChanged).map((path) => {
    const diffs = { mine: diffOf(base, mine, path), theirs: diffOf(base, theirs, path) };
    return { path, ...outcomeOf(sides, path), ...diffs };
  });
}

function outcomeOf(sides: Sides, path: string): Pick<MergedFile, 'outcome' | 'conflicts'> {
  const [before, own, other] = [sides.base, sides.mine, sides.theirs].map(({ files }) => files[path]);
  if (own === other || other === before) return { outcome: 'mine', conflicts: 0 };
  if (own === before) return { outcome: 'theirs', conflicts: 0 };
  const conflicts = textMerged(sides, path, 'mine')?.conflicts ?? 1;
  return { outcome: conflicts === 0 ? 'merged' : 'conflict', conflicts };
}

/** Makes the merged skill in the store. Where both have changed the same, one of them is preferred. */
export function keepMerged(
  environment: Environment,
  sides: Sides,
  files: readonly MergedFile[],
  preferred: Preferred,
): Promise<Kept> {
  const outcomes = new Map(files.map(({ path, outcome }) => [path, outcome]));
  const paths = new Set([...Object.keys(sides.mine.files), ...Object.keys(sides.theirs.files)]);
  return keep(environment, async (draft) => {
    for (const path of paths) {
      const outcome = outcomes.get(path) ?? 'mine';
      const isMerged = outcome === 'merged' || outcome === 'conflict';
      const text = isMerged ? textMerged(sides, path, preferred)?.text : undefined;
      if (text === undefined) copyFile(sides[isMerged ? preferred : outcome], path, draft);
      else writeMerged(sides, path, draft, text);
    }
  });
}

function copyFile(side: Side, path: string, draft: string): void {
  const digest = side.files[path];
  if (digest === undefined || digest === specialMark || digest.startsWith(linkMark)) return;
  const target = below(draft, path);
  makeFolder(dirname(target), 0o755);
  copyFileSync(below(side.folder, path), target);
}

/** Writes a merged text; it is executable if whoever changed that made it so. */
function writeMerged({ base, mine, theirs }: Sides, path: string, draft: string, text: string): void {
  const target = below(draft, path);
  makeFolder(dirname(target), 0o755);
  const decides = isExecutable(theirs, path) === isExecutable(base, path) ? mine : theirs;
  writeFileSync(target, text);
  chmodSync(target, isExecutable(decides, path) ? 0o755 : 0o644);
}

function isExecutable({ files }: Side, path: string): boolean {
  return files[path]?.endsWith(executableMark) ?? false;
}

function textMerged({ base, mine, theirs }: Sides, path: string, preferred: Preferred) {
  if ([base, mine, theirs].some(({ files }) => files[path] === undefined)) return null;
  const [before, own, other] = [textOf(base, path), textOf(mine, path), textOf(theirs, path)];
  if (before === null || own === null || other === null) return null;
  return mergedText(before, own, other, preferred);
}

/** The changes of one side, as a diff; null for a file that is not text. */
export function diffOf(base: Side, side: Side, path: string): string | null {
  if (base.files[path] === side.files[path]) return '';
  const [before, after] = [textOf(base, path), textOf(side, path)];
  if (before === null || after === null) return null;
  const has = ({ files }: Side): boolean => files[path] !== undefined;
  return unifiedDiff(has(base) ? before : null, has(side) ? after : null, path);
}

/** Files up to this size are merged line by line. */
const byteLimit = 1024 * 1024;

/** The text of a file; empty for none, null for one that is no text. */
function textOf({ folder, files }: Side, path: string): string | null {
  if (files[path] === undefined) return '';
  const read = readRegularFile(below(folder, path), byteLimit);
  if (!read.ok || !isUtf8(read.value.bytes) || read.value.bytes.includes(0)) return null;
  return read.value.bytes.toString('utf8');
}
