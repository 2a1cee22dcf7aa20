import { readFileSync, statfsSync } from 'node:fs';
import type { Limits } from '../../policy/types.ts';
import { type ScratchWatch, watchScratch } from '../linux/scratch-watch.ts';
import { type EngineInfo, isPodman } from './ability.ts';

/** Where engines keep the groups of their containers, by each of their ways to make them. */
const places = [
  (id: string) => `libpod_parent/libpod-${id}`,
  (id: string) => `machine.slice/libpod-${id}.scope`,
  (id: string) => `docker/${id}`,
  (id: string) => `system.slice/docker-${id}.scope`,
];

/**
 * Whether something in a container was killed for want of memory, while its group is still there. Engines say so
 * themselves, but for Podman on cgroup v1; and where it was not the first process, nothing else tells.
 */
export function ranShort(info: EngineInfo, id: string): boolean {
  if (!isPodman(info) || info.CgroupVersion !== '1') return false;
  return /^oom_kill [1-9]/m.test(textIn(info, id, 'memory', 'memory.oom_control'));
}

/** Whether a container was refused a process. No engine says so; the kernel counts it, while the group is there. */
export function refusedProcess(info: EngineInfo, id: string): boolean {
  return /^max [1-9]/m.test(textIn(info, id, 'pids', 'pids.events'));
}

const tmpfs = 0x01021994;

/** The scratch folder of a container that is about to start, or has; null where it is not to be seen from here. */
export function scratchIn(info: EngineInfo, id: string, limits: Limits): ScratchWatch | null {
  const pid = Number(textIn(info, id, 'pids', 'cgroup.procs').split('\n')[0]);
  if (!(pid > 1)) return null;
  return watchScratch(pid, limits, (folder) => {
    // Before its own root is in place it would be a folder of the host.
    const { type, blocks, bsize } = statfsSync(folder);
    return type === tmpfs && blocks === Math.ceil(limits.scratchBytes / bsize);
  });
}

/** A file of the container's group; nothing where it is made elsewhere, or gone already. */
function textIn({ CgroupVersion }: EngineInfo, id: string, controller: string, file: string): string {
  const top = CgroupVersion === '1' ? `/sys/fs/cgroup/${controller}` : '/sys/fs/cgroup';
  for (const place of places) {
    try {
      return readFileSync(`${top}/${place(id)}/${file}`, 'latin1');
    } catch {
      // it is made elsewhere
    }
  }
  return '';
}
