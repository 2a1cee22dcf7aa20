import type { Limits } from '../../policy/types.ts';
import type { Cgroup } from './cgroup.ts';
import type { ScratchWatch } from './scratch-watch.ts';
import { treeThreads } from './tree.ts';
import { memoryWatch, treeMemory } from './tree-memory.ts';
import { timeWatch } from './tree-time.ts';

/** What a control group would tell of a run. */
type Meter = Pick<Cgroup, 'refusedProcess' | 'cpuSeconds' | 'memoryBytes'>;

/** Stands in for a control group where none can be made: what it would hold is looked at, and ended by us. */
export function watchTree(
  root: number,
  limits: Limits,
  ownProcesses: number,
  scratch: ScratchWatch | null,
): Meter & { exceedsMemory(): boolean } {
  const fileBytes = (): number => scratch?.bytes() ?? 0;
  return {
    // Nobody counts what is refused, but only a run that has reached its limit is.
    refusedProcess: () => treeThreads(root) >= limits.processes + ownProcesses,
    cpuSeconds: timeWatch(root),
    memoryBytes: () => {
      const bytes = treeMemory(root);
      return bytes === null ? null : bytes + fileBytes();
    },
    exceedsMemory: memoryWatch(root, limits.memoryBytes, fileBytes),
  };
}
