import { isInside } from '../../core/paths.ts';
import type { Mount } from '../policy/types.ts';

/**
 * Whether who may write to one folder could turn another, which is mounted by name after we have looked at it, into a link.
 * Nobody can rename the folder that they were granted. In one that may be written to, there is more that is mounted by name.
 */
export function couldTurn(writable: string, { source, access }: Pick<Mount, 'source' | 'access'>): boolean {
  if (access === 'write') return isInside(writable, source) || isInside(source, writable);
  return source !== writable && isInside(writable, source);
}
