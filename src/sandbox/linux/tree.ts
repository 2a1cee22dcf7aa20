import { readdirSync, readFileSync } from 'node:fs';

/** A process and all that come from it; null where it is gone, or this system does not tell. */
export function processesOf(root: number | undefined): readonly number[] | null {
  const children = root === undefined ? null : childrenOf(root);
  if (root === undefined || children === null) return null;
  return [root, ...children.flatMap((child) => processesOf(child) ?? [child])];
}

/** How many threads there are in a process and in all that come from it, which is what a limit on processes counts. */
export function treeThreads(root: number): number {
  return (processesOf(root) ?? []).reduce((sum, pid) => sum + threadsOf(pid).length, 0);
}

/** Any of its threads may have started them. Null where not one of the threads tells. */
function childrenOf(pid: number): readonly number[] | null {
  const lists = threadsOf(pid).flatMap((thread) => textOf(`/proc/${pid}/task/${thread}/children`) ?? []);
  return lists.length === 0 ? null : lists.join(' ').split(' ').filter(Boolean).map(Number);
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // it has ended
  }
}

export function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
