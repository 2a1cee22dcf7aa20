import { SkillError } from '../../../core/errors.ts';
import { choice, flag, type Infer, list, object, text } from '../../../core/schema/schema.ts';
import { couldTurn } from '../../../run/sandbox/folder-reach.ts';
import type { RunSpec } from '../../../run/sandbox/types.ts';

/** The folders of this machine that a run is given, as far as other runs have to wait for it. */
export const folderUseSchema = object({
  byName: flag('Whether they are mounted by name after we have checked them, as container engines do.'),
  folders: list(object({ source: text(), access: choice(['read', 'write']) })),
});
export type FolderUse = Infer<typeof folderUseSchema>;

/** The folders that a run uses; null if no other run can be concerned: none is mounted by name, and none is written. */
export function folderUseOf({ task, mounts }: Pick<RunSpec, 'task' | 'mounts'>): FolderUse | null {
  const byName = task.kind === 'container';
  const folders = mounts.map(({ source, access }) => ({ source, access }));
  return folders.some(({ access }) => byName || access === 'write') ? { byName, folders } : null;
}

/**
 * Tells whether one of two runs could turn what the other is given by name into a link, between our check and the
 * container engine's mount.
 */
export function cannotMeet(one: FolderUse, other: FolderUse): boolean {
  return disturbs(one, other) || disturbs(other, one);
}

function disturbs(writer: FolderUse, { byName, folders }: FolderUse): boolean {
  const writable = writer.folders.filter(({ access }) => access === 'write');
  return byName && folders.some((folder) => writable.some(({ source }) => couldTurn(source, folder)));
}

/** Refuses folders other than those that were named: others have waited for those, and not for these. */
export function refuseOther(named: FolderUse | null, now: FolderUse | null): void {
  if (JSON.stringify(named) === JSON.stringify(now)) return;
  throw new SkillError('busy', 'the folders that it may use were changed while it waited for other runs', {
    hint: 'Run it again.',
  });
}
