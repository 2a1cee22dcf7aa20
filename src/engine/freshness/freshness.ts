import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../../core/attempt.ts';
import { reasonOf } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { count } from '../../core/text/text.ts';
import { drainEvents } from '../../core/time-slice.ts';
import { resolveName } from '../../registry/resolve.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { createWatcher, type OpenWatch, watchedAfter } from '../../registry/watch.ts';
import type { Skill } from '../../skill/types.ts';
import type { Engine } from '../engine.ts';
import type { WatcherHealth } from '../operations/machine/health.ts';

/** Keeps a registry in step with the disk: by watching it, by a check at every call, and by a regular scan. */
export interface Freshness {
  /**
   * Checks, at a call, that the registry knows every change made on disk before it; this costs next to nothing when
   * there was none. A caller that wants one skill passes its name: if that is known, the call does not wait for a long
   * scan, since the skill's text is read anew in any case; if it is not, the scan may well find it.
   */
  check(name?: string): Promise<void>;
  /** Resolves when everything that can be watched is watched, and every noticed change has been scanned. */
  settled(): Promise<void>;
  /** Reports how well changes are noticed. */
  state(): WatcherHealth;
  close(): void;
}

/** Milliseconds for which a call trusts the last scan where not everything is watched. */
const trustMs = 1000;
/** Number of folders up to which a scan is short enough to wait for when the name is known already … */
const fewFolders = 2000;
/** … and milliseconds after which such a scan is no longer waited for. */
const scanWaitMs = 100;

const switchedOff: Freshness = {
  check: async () => {},
  settled: async () => {},
  state: () => ({ state: 'off', folders: 0, intervalMs: 0, lookedAt: null }),
  close() {},
};

/** Starts keeping the registry of an engine fresh, unless the settings say not to. */
export function keepFresh(engine: Engine, log: Logger, openWatch?: OpenWatch): Freshness {
  const { environment, registry } = engine;
  const { values } = engine.configuration;
  if (!values.autoRefresh) return switchedOff;

  /** Whether something changed that no scan has begun to see. */
  let hasChanged = false;
  /** Whether a scan that sees a change has begun and not ended. */
  let isSeeing = false;
  let isLooking = false;
  let isClosed = false;
  let [isTickDue, isTick] = [false, false];
  let beganAt = Date.now();
  let lookedAt = registry.current === undefined ? null : beganAt;
  let again: NodeJS.Timeout | undefined;

  const debounce = createDebounce(() => {
    if (hasChanged) void look();
  });
  const watcher = createWatcher({
    platform: environment.platform,
    onHint() {
      hasChanged = true;
      debounce.note();
    },
    onLimit: (reason) => log.warn(limitText(reason), { everyMs: values.refreshInterval }),
    ...(openWatch && { openWatch }),
  });
  const endObserving = registry.observe({
    began() {
      beganAt = Date.now();
      [isSeeing, isTick, isLooking] = [hasChanged, isTickDue, true];
      [hasChanged, isTickDue] = [false, false];
    },
    ended(snapshot, before) {
      lookedAt = Date.now();
      isSeeing = isLooking = false;
      const isNews = before !== undefined && before.digest !== snapshot.digest;
      const level = isTick || isNews ? 'info' : 'debug';
      log[level](before === undefined ? `found: ${countOf(snapshot)}` : `refreshed: ${newsOf(snapshot, before)}`);
      lookAgainAt(snapshot.scan.lookAgainAt);
      watchAfter(snapshot);
    },
    failed(error) {
      isSeeing = isLooking = false;
      log.warn(`the refresh failed; the previous result stays in use (${reasonOf(error)})`);
    },
  });
  const ticks = setInterval(() => {
    if (registry.current === undefined) return; // the first scan is for the first caller
    isTickDue = true;
    void look();
  }, values.refreshInterval).unref();
  if (registry.current !== undefined) watchAfter(registry.current);

  /** Scans, and never rejects: a failure is reported elsewhere, and the previous snapshot stays in use. */
  async function look(): Promise<void> {
    await registry.refresh().catch(() => undefined);
  }

  function lookAgainAt(time: number | null): void {
    clearTimeout(again);
    if (time !== null) again = setTimeout(() => void look(), Math.max(time - Date.now(), 0) + 20).unref();
  }

  function watchAfter({ scan }: Snapshot): void {
    watcher.sync(watchedAfter(scan, values, environment, engine.configuration.files)).catch((error: unknown) => {
      log.warn(`changes cannot be watched (${reasonOf(error)})`);
    });
  }

  /** Waits for the scan under way. Where it finds new folders, what was written to them since it looked is in no event. */
  async function seen(): Promise<void> {
    await registry.running?.catch(() => undefined);
    if (watcher.state === 'behind') await look();
  }

  /** The scan that a call must wait for so as not to be behind the disk, if there is one. */
  function lookFor(isKnown: boolean | undefined): Promise<unknown> | undefined {
    if (hasChanged) return look();
    if (isSeeing) return seen();
    if (watcher.state === 'whole') return undefined;
    // Folders not watched yet soon will be: until then only a call for a text, which is read anew, needs no scan.
    const isEnough = watcher.state === 'behind' ? isKnown : isKnown !== false;
    return isEnough && Date.now() - beganAt <= trustMs ? undefined : look();
  }

  /** Waits for a scan if the call needs one, and only briefly for a name that is known already. */
  async function waitFor(name: string | undefined, current: Snapshot): Promise<void> {
    const isKnown = name === undefined ? undefined : isKnownName(current, name);
    const isLong = current.scan.folders.size > fewFolders;
    if (isKnown && isLong && hasChanged) return; // the scan follows when the debounce is over
    const ended = lookFor(isKnown);
    if (isKnown && isLong) return;
    await (isKnown ? Promise.race([ended, sleep(scanWaitMs, undefined, { ref: false })]) : ended);
  }

  return {
    async check(name) {
      if (registry.current === undefined || isClosed) return;
      await drainEvents();
      if (isClosed || (!hasChanged && !isSeeing && watcher.state === 'whole')) return;
      await waitFor(name, registry.current);
    },
    async settled() {
      await drainEvents();
      while (hasChanged || isLooking || watcher.state === 'behind') await sleep(10);
    },
    state: () => ({
      state: watcher.state === 'limited' ? 'partial' : watcher.state,
      folders: watcher.folders,
      intervalMs: values.refreshInterval,
      lookedAt: lookedAt === null ? null : new Date(lookedAt).toISOString(),
    }),
    close() {
      isClosed = true;
      clearInterval(ticks);
      clearTimeout(again);
      debounce.end();
      endObserving();
      watcher.close();
    },
  };
}

function isKnownName(snapshot: Snapshot, name: string): boolean {
  // The name will be refused, whatever is on the disk.
  return attempt(() => resolveName(snapshot, name).kind === 'found', true);
}

function limitText(reason: string): string {
  const remedy = reason === 'ENOSPC' ? '; raise fs.inotify.max_user_watches to have them watched' : '';
  return `not every folder can be watched (${reason}): changes there wait for the regular refresh${remedy}`;
}

function countOf(snapshot: Snapshot): string {
  return count(snapshot.visible.length, 'skill');
}

/** Describes how many skills are visible now, and what has changed since the snapshot before. */
function newsOf(now: Snapshot, before: Snapshot): string {
  if (now.digest === before.digest) return `${countOf(now)}, nothing new`;
  const known = new Map(before.visible.map((skill) => [skill.id, skill]));
  const kept = now.visible.filter(({ id }) => known.has(id));
  const news = {
    added: now.visible.length - kept.length,
    changed: kept.filter((skill) => !isSame(skill, known.get(skill.id) as Skill)).length,
    removed: before.visible.length - kept.length,
  };
  const changes = Object.entries(news).filter(([, many]) => many > 0);
  return [countOf(now), ...changes.map(([what, many]) => `${many} ${what}`)].join(', ');
}

function isSame(a: Skill, b: Skill): boolean {
  return a.digest === b.digest && a.fullName === b.fullName && a.provider === b.provider && a.location === b.location;
}

/** Milliseconds between the last change of a burst and the scan that follows it. */
export const quietMs = 500;
/** Milliseconds after the first change by which the scan follows at the latest, should the burst have no end. */
const burstMs = 2000;

/** A debounce: turns many notes in a row into one call, made when they have ceased. */
interface Debounce {
  note(): void;
  end(): void;
}

export function createDebounce(onQuiet: () => void): Debounce {
  let [first, last] = [0, 0];
  let timer: NodeJS.Timeout | undefined;

  /** Waits on a single timer, however many notes there are: when it fires, it checks whether it was too early. */
  function wait(ms: number): void {
    timer = setTimeout(() => {
      timer = undefined;
      const left = Math.min(last + quietMs, first + burstMs) - Date.now();
      if (left > 0) wait(left);
      else onQuiet();
    }, ms).unref();
  }

  return {
    note() {
      last = Date.now();
      if (timer !== undefined) return;
      first = last;
      wait(quietMs);
    },
    end() {
      clearTimeout(timer);
    },
  };
}
