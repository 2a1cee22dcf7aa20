import { statOf } from '../../core/disk/files.ts';
import type { Mount } from '../policy/types.ts';
import { type RunSpec, skillTarget } from './types.ts';

/** The mounts of a run, the folder of its skill among them. */
export function mountsOf(spec: Pick<RunSpec, 'skillFolder' | 'mounts'>): readonly Mount[] {
  return [{ source: spec.skillFolder, target: skillTarget, access: 'read' }, ...spec.mounts];
}

const others = { read: 0o4, write: 0o2, enter: 0o1 } as const;

/** The reason why somebody who owns nothing cannot use a mount; null if they can. */
export function unreachable({ source, access }: Mount, who: string): string | null {
  const stats = statOf(source);
  if (!stats.ok) return `${source} does not exist (${stats.reason})`;
  const enter = stats.value.isDirectory() ? others.enter : 0;
  const needed = others.read | enter | (access === 'write' ? others.write : 0);
  if ((stats.value.mode & needed) === needed) return null;
  const how = access === 'write' ? 'rwX' : 'rX';
  return `${who} may not ${access} ${source}: chmod -R o+${how} ${source}`;
}
