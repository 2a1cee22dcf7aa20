import { conditionOf, safeName, specOf, statusOf } from './snapshot.mjs';
import { number, table, tables, text } from './values.mjs';

/** A pod that is done, and is not meant to be ready. */
export const isDone = (pod) => statusOf(pod).phase === 'Succeeded';
export const isReady = (pod) => conditionOf(pod, 'Ready')?.status === 'True' && table(pod.metadata).deletionTimestamp === undefined;

export const nodeOf = (pod) => safeName(specOf(pod).nodeName);

/** Init containers and containers, each with what is known of it. */
export function containerStatuses(pod) {
  const named = (statuses, isInit) => tables(statuses).map((status) => ({ ...status, name: safeName(status.name), isInit }));
  const { initContainerStatuses, containerStatuses: others } = statusOf(pod);
  return [...named(initContainerStatuses, true), ...named(others, false)];
}

/** What `kubectl get pods` has in its columns. */
export function podColumns(pod) {
  const statuses = containerStatuses(pod).filter(({ isInit }) => !isInit);
  const total = tables(specOf(pod).containers).length;
  const restarts = statuses.reduce((sum, { restartCount }) => sum + number(restartCount), 0);
  return {
    ready: `${statuses.filter(({ ready }) => ready === true).length}/${total}`,
    status: statusWord(pod),
    restarts,
    node: nodeOf(pod) || null,
  };
}

/** The one word that says most: a reason for waiting, or the phase. */
export function statusWord(pod) {
  if (table(pod.metadata).deletionTimestamp !== undefined) return 'Terminating';
  for (const { state, isInit } of containerStatuses(pod)) {
    const { waiting, terminated } = table(state);
    const reason = text(table(waiting).reason) || (number(table(terminated).exitCode) === 0 ? '' : text(table(terminated).reason));
    if (reason !== '' && reason !== 'PodInitializing') return isInit ? `Init:${reason}` : reason;
  }
  return text(statusOf(pod).reason) || text(statusOf(pod).phase) || 'Unknown';
}
