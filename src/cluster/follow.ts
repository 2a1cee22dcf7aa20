import { setTimeout as sleep } from 'node:timers/promises';
import type { KV, KvEntry } from '@nats-io/kv';
import type { ObjectStore } from '@nats-io/obj';
import { reasonOf } from '../core/errors.ts';
import { oneLine } from '../core/text/text.ts';
import { describedSkill } from '../skill/parse.ts';
import { openKeys, openObjects } from './buckets.ts';
import { bringBundle } from './bundles.ts';
import { readChannel, toldBy } from './catalogue.ts';
import type { Cluster } from './connection.ts';
import { lastIn, openNews } from './news.ts';
import { patiently } from './patience.ts';
import { holdQuarantined } from './quarantine.ts';
import { displace, noteState, place, placed, readState, type View } from './view.ts';

export interface Following {
  readonly view: View;
  /** Called when skills have come, changed or gone, and awaited before the next ones do. */
  readonly onChange: () => Promise<void>;
  /** Called with the revision of the catalogue up to which all has been taken in. */
  readonly onRevision?: (revision: number) => void;
  /** Called with the reason that keeps a version of a skill from being used. */
  readonly onProblem: (skill: string, problem: string) => void;
  /** Called with the reason why the catalogue cannot be read although the cluster is there. */
  readonly onFailure: (reason: string) => void;
  readonly signal: AbortSignal;
}

/** The catalogue of a cluster, the versions that nobody may use, and the store of its bundles. */
interface Source {
  readonly keys: KV;
  readonly quarantine: KV;
  readonly bundles: ObjectStore;
}

/** Skills that are fetched at once. */
const atOnce = 8;
/** Problems that are noted; more of them say no more. */
const mostNoted = 100;
/** Milliseconds until that which has failed is tried again: the first time, and at most. */
const [firstMs, longestMs] = [2000, 5 * 60_000];

/** Brings the skills of a channel here once. */
export async function syncChannel(cluster: Cluster, following: Following): Promise<void> {
  const endNoting = noteStatus(cluster, following.view);
  try {
    const source = await sourceOf(cluster);
    const mirror = createMirror(source, following);
    await holdQuarantined(source.quarantine, following);
    await mirror.compare();
    await mirror.end();
  } catch (error) {
    noteFailure(cluster, following, error);
  } finally {
    endNoting();
  }
}

/** Notes what keeps the catalogue from being read; a connection that is lost is noted by itself. */
function noteFailure({ status }: Cluster, { view, onFailure, signal }: Following, error: unknown): void {
  if (status.state === 'lost' || signal.aborted) return;
  const failure = oneLine(reasonOf(error));
  noteState(view, { lostSince: readState(view)?.lostSince ?? new Date().toISOString(), failure });
  onFailure(failure);
}

/** Notes whether the cluster is out of reach, whenever that changes; another process may have noticed it before. */
function noteStatus(cluster: Cluster, view: View): () => void {
  return cluster.onStatus(({ state, since, failure }) => {
    noteState(view, { lostSince: state === 'lost' ? (readState(view)?.lostSince ?? since) : null, failure });
  });
}

/**
 * Keeps the skills of a channel here in step with the cluster, until the signal ends it. While the cluster is away they
 * stay as they are; when it is back, all of them are compared. Resolves when the first comparison has ended.
 */
export function followChannel(cluster: Cluster, following: Following): Promise<void> {
  const { signal } = following;
  signal.addEventListener('abort', noteStatus(cluster, following.view));
  return new Promise((resolve) => {
    void (async () => {
      while (!signal.aborted) {
        await followOnce(cluster, following, resolve).catch((error: unknown) => noteFailure(cluster, following, error));
        await sleep(firstMs / 4, undefined, { signal }).catch(() => {});
      }
    })();
  });
}

/** Compares, and then follows the news until the connection is lost. */
async function followOnce(cluster: Cluster, following: Following, onCompared: () => void): Promise<void> {
  await cluster.connected();
  const lost = new AbortController();
  const endListening = cluster.onStatus(({ state }) => state === 'lost' && lost.abort());
  const signal = AbortSignal.any([following.signal, lost.signal]);
  const source = await sourceOf(cluster);
  const mirror = createMirror(source, { ...following, signal });
  try {
    // Before the comparison, so that nothing happens unseen between the two.
    const news = await openNews(source.keys, signal);
    const warnings = await openNews(source.quarantine, signal);
    await holdQuarantined(source.quarantine, following);
    const before = await lastIn(source.keys);
    await mirror.compare();
    following.onRevision?.(before);
    onCompared();
    const hold = (): void => void holdQuarantined(source.quarantine, following).catch(() => {}); // the next round does it
    const take = (entry: KvEntry): void => {
      const isOurs = entry.key.startsWith(`${following.view.channel}.`);
      void mirror.take(isOurs ? [entry] : []).then(() => following.onRevision?.(entry.revision));
    };
    // Where one of them ends, all is compared anew.
    await Promise.race([news(take), warnings(hold)]);
  } finally {
    endListening();
    lost.abort();
    await mirror.end();
  }
}

async function sourceOf(cluster: Cluster): Promise<Source> {
  const connection = await cluster.reached();
  return patiently(async () => ({
    keys: await openKeys(connection, cluster.names.catalogue, 1),
    quarantine: await openKeys(connection, cluster.names.quarantine, 1),
    bundles: await openObjects(connection, cluster.names.bundles),
  }));
}

/** Keeps the folder of a channel as the catalogue says. */
function createMirror({ keys, bundles }: Source, { view, onChange, onProblem, signal }: Following) {
  /** The last revision that was looked at, by key: news may come late, and twice. */
  const revisions = new Map<string, number>();
  const problems = new Map<string, { readonly message: string; readonly entry: KvEntry }>();
  const queue: KvEntry[] = [];
  let work = Promise.resolve();
  let [pauseMs, retry]: [number, NodeJS.Timeout | undefined] = [firstMs, undefined];

  /** Brings one skill here, or takes it away. Returns whether anything changed. */
  async function apply(entry: KvEntry): Promise<boolean> {
    const { key, revision } = entry;
    if ((revisions.get(key) ?? 0) > revision) return false;
    revisions.set(key, revision);
    problems.delete(key);
    try {
      const told = toldBy(entry);
      if (told.kind === 'wrong') throw new Error(told.problem);
      if (told.kind === 'gone') return displace(view, key);
      const { folder } = await bringBundle(view.environment, bundles, told.current.digest, signal);
      const { name } = describedSkill(folder);
      if (name !== told.entry.name) throw new Error(`the skill in its bundle is called '${name}'`);
      return place(view, key, folder);
    } catch (error) {
      if (!signal.aborted) problems.set(key, { message: oneLine(reasonOf(error)), entry });
      return false;
    }
  }

  /** Takes in all that is new; what comes meanwhile is taken together afterwards. */
  async function drain(): Promise<void> {
    const entries = queue.splice(0);
    const known = new Map(problems);
    let hasChanged = false;
    for (let at = 0; at < entries.length && !signal.aborted; at += atOnce) {
      const changes = await Promise.all(entries.slice(at, at + atOnce).map(apply));
      hasChanged ||= changes.includes(true);
    }
    if (hasChanged) await onChange();
    if (!signal.aborted) report(known);
  }

  /** Tells of new problems, and sees to it that all are looked at again. */
  function report(known: typeof problems): void {
    for (const [key, { message }] of problems) {
      if (known.get(key)?.message !== message) onProblem(key.slice(key.indexOf('.') + 1), message);
    }
    noteState(view, {
      ...{ followedAt: new Date().toISOString(), lostSince: null, failure: null },
      problems: [...problems].slice(0, mostNoted).map(([key, { message }]) => ({ key, message })),
    });
    clearTimeout(retry);
    pauseMs = problems.size === 0 ? firstMs : Math.min(pauseMs * 2, longestMs);
    if (problems.size === 0) return;
    retry = setTimeout(() => void take([...problems.values()].map(({ entry }) => entry)), pauseMs).unref();
  }

  function take(entries: readonly KvEntry[]): Promise<void> {
    queue.push(...entries);
    work = work.then(drain);
    return work;
  }

  return {
    take,
    /** Compares all that is here with all that the cluster has. */
    async compare(): Promise<void> {
      const all = await readChannel(keys, view.channel);
      signal.throwIfAborted();
      const gone = placed(view).filter((key) => !all.has(key));
      const isLess = gone.map((key) => displace(view, key)).includes(true);
      await take([...all.values()]);
      if (isLess) await onChange();
    },
    async end(): Promise<void> {
      clearTimeout(retry);
      await work;
    },
  };
}
