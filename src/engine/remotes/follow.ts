import { reasonOf, SkillError } from '../../core/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { refreshRemote } from '../../get/remote/refresh.ts';
import { folderOf, listRemotes, type Remote } from '../../get/remote/store.ts';
import type { Engine } from '../engine.ts';

/** Milliseconds between two refreshes of a remote that is followed. */
const intervalMs = 10 * 60_000;

/**
 * Keeps the skills of remotes up to date for as long as the engine lives. Each remote is asked by itself, within its
 * own limits: one that hangs or dies keeps its skills of last time, and keeps nobody else waiting.
 */
export function followRemotes(engine: Engine): void {
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const round = async (): Promise<void> => {
    const outcomes = await Promise.all(
      listRemotes(engine.environment).map((remote) => refreshed(engine, remote, ending.signal)),
    );
    if (ending.signal.aborted) return;
    if (outcomes.includes(true)) await engine.registry.refresh().catch(() => {}); // it is tried again by the next call
    timer = setTimeout(() => void round(), intervalMs);
    timer.unref();
  };
  engine.disposers.add(() => {
    ending.abort();
    clearTimeout(timer);
  });
  void round();
}

/** Refreshes one remote, and tells in the log how it went. Returns whether its skills have changed. */
async function refreshed(
  { environment, configuration, log }: Engine,
  remote: Remote,
  signal: AbortSignal,
): Promise<boolean> {
  const { name } = remote;
  try {
    const hasChanged = await refreshRemote(folderOf(environment, name), remote, {
      ...{ environment, signal, offline: configuration.values.offline },
    });
    log?.info(hasChanged ? 'a remote has other skills now' : 'a remote has the same skills as before', {
      remote: name,
    });
    return hasChanged;
  } catch (error) {
    const remedy = error instanceof SkillError ? error.hint : undefined;
    if (!signal.aborted)
      log?.warn(`a remote cannot be refreshed: ${oneLine(reasonOf(error))}`, { remote: name, remedy });
    return false;
  }
}
