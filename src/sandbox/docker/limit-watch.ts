import { hasCutFileIn } from '../cut-files.ts';
import type { SurvivedLimit } from '../ending.ts';
import type { ScratchWatch } from '../linux/scratch-watch.ts';
import type { RunSpec } from '../types.ts';
import type { EngineInfo } from './ability.ts';
import { refusedProcess, scratchIn } from './groups.ts';

/** Finds out what limits a container has met with, as far as that can be seen from outside of it. */
export interface LimitWatch {
  /** To be called when it was created. From then on its scratch folder is waited for. */
  readonly created: (id: string) => void;
  readonly reached: () => readonly SurvivedLimit[];
  /** To be called when it has ended, and not been removed. */
  readonly atEnd: () => readonly SurvivedLimit[];
}

/** Between its creation and the start of its program a container is there for some milliseconds; later it is late anyway. */
const lookEveryMs = 2;
const soonMs = 1000;
const laterMs = 250;

export function watchLimits(info: EngineInfo, { limits, mounts }: RunSpec): LimitWatch {
  const sinceMs = Date.now();
  let id: string | null = null;
  let scratch: ScratchWatch | null = null;
  let createdAt = 0;
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    scratch = id === null ? null : scratchIn(info, id, limits);
    if (scratch !== null) return;
    timer = setTimeout(look, performance.now() - createdAt < soonMs ? lookEveryMs : laterMs).unref();
  };
  const seen = new Set<SurvivedLimit>();
  const reached = (): readonly SurvivedLimit[] => {
    if (id !== null && refusedProcess(info, id)) seen.add('processes');
    if (scratch?.isFull()) seen.add('scratchBytes');
    return [...seen];
  };
  return {
    created: (created) => {
      id = created;
      createdAt = performance.now();
      look();
    },
    reached,
    atEnd: () => {
      clearTimeout(timer);
      if (scratch?.hasCutFile() || hasCutFileIn(mounts, limits, { sinceMs })) seen.add('fileBytes');
      const all = reached();
      scratch?.close();
      return all;
    },
  };
}
