import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../core/log.ts';
import type { Engine } from '../engine.ts';
import { createDebounce, keepFresh } from './freshness.ts';

/** Times at which a debounced callback runs, for notes at the given times. */
function callsFor(notes: readonly number[], end: number): number[] {
  const start = Date.now();
  const calls: number[] = [];
  const debounce = createDebounce(() => calls.push(Date.now() - start));
  for (const at of notes) {
    vi.advanceTimersByTime(start + at - Date.now());
    debounce.note();
  }
  vi.advanceTimersByTime(start + end - Date.now());
  return calls;
}

describe('a debounced call', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is made half a second after the last event', () => {
    expect(callsFor([0], 5000)).toEqual([500]);
    expect(callsFor([0, 100, 400], 5000)).toEqual([900]);
    expect(callsFor([0, 100, 2000, 2100], 5000)).toEqual([600, 2600]);
  });

  it('is made every two seconds while events go on, and the last event is never lost', () => {
    const notes = Array.from({ length: 50 }, (_, index) => index * 100);
    expect(callsFor(notes, 10_000)).toEqual([2000, 4000, 5400]);
  });

  it('is never made after the debounce was ended', () => {
    const calls: number[] = [];
    const debounce = createDebounce(() => calls.push(1));
    debounce.note();
    debounce.end();
    vi.advanceTimersByTime(5000);
    expect(calls).toEqual([]);
  });
});

const log = createLogger({ level: 'silent', format: 'text', write: () => {} });

/** An engine whose scans see the folders that they are told to, when they are told to. */
function engineWithScans() {
  const snapshotOf = (...folders: readonly string[]) => ({
    visible: [],
    digest: folders.join(),
    scan: {
      folders: new Map(folders.map((one) => [one, null])),
      missing: [],
      roots: [],
      hidden: [],
      lookAgainAt: null,
    },
  });
  type Snapshot = ReturnType<typeof snapshotOf>;
  const scans: { end(...folders: readonly string[]): void }[] = [];
  let observer: { began(): void; ended(now: Snapshot, before: Snapshot): void };
  const registry = {
    current: snapshotOf('/skills'),
    running: undefined as Promise<Snapshot> | undefined,
    observe: (given: typeof observer) => {
      observer = given;
      return () => {};
    },
    refresh() {
      observer.began();
      registry.running = new Promise((resolve) => {
        scans.push({
          end(...folders) {
            const before = registry.current;
            registry.current = snapshotOf(...folders);
            observer.ended(registry.current, before);
            resolve(registry.current);
          },
        });
      });
      return registry.running;
    },
  };
  const values = { autoRefresh: true, refreshInterval: 1e6, remotes: 'off', skipPlugins: true };
  const environment = { cwd: '/work', home: '/home/me', env: {}, platform: 'linux', systemDir: '/etc' };
  return { engine: { environment, registry, configuration: { values, files: [] } } as unknown as Engine, scans };
}

describe('a call while a scan is under way', () => {
  it.each([
    ['no', [], 1],
    ['a', ['/skills/new'], 2],
  ])('waits for it, and for another where it found %s new folder', async (_how, found, expected) => {
    const { engine, scans } = engineWithScans();
    let hint = (): void => {};
    const fresh = keepFresh(engine, log, (_folder, _extent, onEvent) => {
      hint = () => onEvent('rename', 'new');
      return { close() {} };
    });
    await vi.waitFor(() => expect(fresh.state().state).toBe('whole'));
    while (scans.length === 0) await new Promise(setImmediate);
    scans[0]?.end('/skills'); // the one after the watch was opened
    hint();
    await vi.waitFor(() => expect(scans).toHaveLength(2), { timeout: 5000 });
    let isAnswered = false;
    const answered = fresh.check().then(() => {
      isAnswered = true;
    });
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    scans[1]?.end('/skills', ...found);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect([scans.length - 1, isAnswered]).toEqual([expected, expected === 1]);
    scans[2]?.end('/skills', ...found);
    await answered;
    fresh.close();
  });
});
