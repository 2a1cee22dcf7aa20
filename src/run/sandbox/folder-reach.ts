import { isInside } from '../../core/disk/paths.ts';
import type { Mount } from '../policy/types.ts';

/**
 * Tells whether a process that can write to one folder could replace another, which is mounted by name after we checked
 * it, by a link. A granted folder itself cannot be renamed. A writable one has guards mounted by name, too.
 */
export function couldTurn(writable: string, { source, access }: Pick<Mount, 'source' | 'access'>): boolean {
  if (access === 'write') return isInside(writable, source) || isInside(source, writable);
  return source !== writable && isInside(writable, source);
}
