import { readFileSync } from 'node:fs';
import { type EngineInfo, isPodman } from './ability.ts';

/** Where Podman keeps the groups of its containers, by each of its two ways to make them. */
const places = [
  (id: string) => `/sys/fs/cgroup/memory/libpod_parent/libpod-${id}`,
  (id: string) => `/sys/fs/cgroup/memory/machine.slice/libpod-${id}.scope`,
];

/**
 * Whether something in a container was killed for want of memory, while its group is still there. Engines say so
 * themselves, but for Podman on cgroup v1; and where it was not the first process, nothing else tells.
 */
export function ranShort(info: EngineInfo, id: string): boolean {
  if (!isPodman(info) || info.CgroupVersion !== '1') return false;
  return places.some((place) => /^oom_kill [1-9]/m.test(textOf(`${place(id)}/memory.oom_control`)));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // it is made elsewhere, or gone already
  }
}
