import { SkillError } from '../../core/errors.ts';
import type { Mount } from '../../run/policy/types.ts';
import { couldTurn } from '../../run/sandbox/folder-reach.ts';
import type { RunSpec } from '../../run/sandbox/types.ts';

type Folder = Pick<Mount, 'source' | 'access'>;

/** The folders of this machine that a run is given, as far as other runs have to wait for it. */
export interface FolderUse {
  /** Whether they are mounted by name after we have looked at them, as container engines do. */
  readonly byName: boolean;
  readonly folders: readonly Folder[];
}

/** Null where no other run can be concerned: nothing is mounted by name, and nothing is written. */
export function folderUseOf({ task, mounts }: Pick<RunSpec, 'task' | 'mounts'>): FolderUse | null {
  const byName = task.kind === 'container';
  const folders = mounts.map(({ source, access }) => ({ source, access }));
  return folders.some(({ access }) => byName || access === 'write') ? { byName, folders } : null;
}

/** Whether one of two runs could turn what the other is given by name into a link, between our look and the engine's mount. */
export function cannotMeet(one: FolderUse, other: FolderUse): boolean {
  return disturbs(one, other) || disturbs(other, one);
}

function disturbs(writer: FolderUse, { byName, folders }: FolderUse): boolean {
  const writable = writer.folders.filter(({ access }) => access === 'write');
  return byName && folders.some((folder) => writable.some(({ source }) => couldTurn(source, folder)));
}

/** Others have waited for the folders that were named, and not for these. */
export function refuseOther(named: FolderUse | null, now: FolderUse | null): void {
  if (JSON.stringify(named) === JSON.stringify(now)) return;
  throw new SkillError('busy', 'the folders that it may use were changed while it waited for other runs', {
    hint: 'Run it again.',
  });
}
