import { expandPath } from '../core/disk/paths.ts';
import type { Environment } from '../core/environment.ts';
import type { OnProgress } from '../core/progress.ts';
import { createSlicer, type Slicer } from '../core/time-slice.ts';
import type { DiscoveryOptions } from '../discovery/roots.ts';
import { type Scan, type ScanMemory, scan } from '../discovery/scan.ts';
import type { Skill } from '../skill/types.ts';
import { type FilterTokens, nativePrefix } from './filters.ts';
import type { Quarantine } from './quarantine.ts';
import { Snapshot, type View } from './snapshot.ts';

export type Listener = (snapshot: Snapshot) => void;

/** Reads which skills nobody may load, with every scan anew. */
export type ReadQuarantine = () => Quarantine | undefined | Promise<Quarantine | undefined>;

/** An observer of every scan, including those that other callers requested. */
export interface Observer {
  /** Called at the start of a scan, which may miss changes made from here on. */
  began(): void;
  /** Called when a skill was read, which may yet be renamed, with the folders that were entered by then. */
  found?(skill: Skill, folders: Scan['folders']): void;
  /** Called once the snapshot is the current one; the one before it is undefined after the first scan. */
  ended(snapshot: Snapshot, before: Snapshot | undefined): void;
  failed(error: unknown): void;
}

/** Reads which skills are disabled by now: people disable them while servers run. */
type DisabledNow = () => Promise<FilterTokens>;

export interface RegistryHelp {
  readonly onProgress?: OnProgress | undefined;
  readonly disabledNow?: DisabledNow | undefined;
  readonly quarantine?: ReadQuarantine | undefined;
}

/**
 * Holds the current snapshot and replaces it. A refresh builds the next one beside it and swaps it in by one
 * assignment: no reader ever sees half a registry, waits for a refresh, or fails because of one.
 */
export class Registry {
  readonly #options: DiscoveryOptions;
  readonly #view: View;
  readonly #environment: Environment;
  readonly #onProgress: OnProgress | undefined;
  readonly #disabledNow: DisabledNow | undefined;
  readonly #quarantine: ReadQuarantine | undefined;
  readonly #memory: ScanMemory = new Map();
  readonly #listeners = new Set<Listener>();
  readonly #observers = new Set<Observer>();
  #current: Snapshot | undefined;
  #first: Promise<Snapshot> | undefined;
  #running: Promise<Snapshot> | undefined;
  #next: Promise<Snapshot> | undefined;

  constructor(
    options: DiscoveryOptions,
    view: View,
    environment: Environment,
    { onProgress, disabledNow, quarantine }: RegistryHelp = {},
  ) {
    this.#disabledNow = disabledNow;
    this.#options = options;
    this.#view = view;
    this.#environment = environment;
    this.#onProgress = onProgress;
    this.#quarantine = quarantine;
  }

  /** The current snapshot, or undefined before the first scan has ended. */
  get current(): Snapshot | undefined {
    return this.#current;
  }

  /** The scan in progress, or else the last one. */
  get running(): Promise<Snapshot> | undefined {
    return this.#running;
  }

  /** Returns the current snapshot; callers before the first scan has ended share that scan. */
  async snapshot(): Promise<Snapshot> {
    if (this.#current !== undefined) return this.#current;
    this.#first ??= this.refresh().finally(() => {
      this.#first = undefined;
    });
    return this.#first;
  }

  /** Builds the snapshot that this configuration would see of an earlier scan. It does not become the current one. */
  async preview(found: Scan): Promise<Snapshot> {
    const slicer = createSlicer();
    const filePath = (path: string): string => expandPath(path, this.#environment);
    return Snapshot.make(found, await this.#viewOf(found, slicer), filePath, slicer);
  }

  /**
   * Scans the disk again. There is never more than one scan at a time: a caller during a scan, which may have missed
   * what was just changed, shares the next. A scan that fails leaves everything as it was.
   */
  refresh(): Promise<Snapshot> {
    this.#next ??= this.#startNext();
    return this.#next;
  }

  async #startNext(): Promise<Snapshot> {
    await this.#running?.then(ignore, ignore); // its outcome is reported to those who requested it
    await Promise.resolve(); // callers in the same tick still share this one
    this.#next = undefined;
    this.#running = this.#build();
    return this.#running;
  }

  /** Calls the listener whenever what is visible has changed. Returns a disposer. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notifies the observer of every scan. Returns a disposer. */
  observe(observer: Observer): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  async #build(): Promise<Snapshot> {
    for (const observer of this.#observers) observer.began();
    try {
      return await this.#look();
    } catch (error) {
      for (const observer of this.#observers) observer.failed(error);
      throw error;
    }
  }

  /**
   * The view with its `native:` tokens resolved. An agent's own view depends on everything that was found, and is
   * hardly ever needed at a terminal.
   */
  async #viewOf(found: Scan, slicer: Slicer): Promise<View> {
    const [disabled, quarantine] = [await this.#disabledNow?.(), await this.#quarantine?.()];
    const view = {
      ...this.#view,
      ...(disabled !== undefined && { disabled }),
      ...(quarantine !== undefined && { quarantine }),
    };
    const tokens = [...view.include, ...view.exclude].filter((token) => token.startsWith(nativePrefix));
    if (tokens.length === 0) return view;
    const { nativeSets } = await import('./natives.ts');
    return { ...view, natives: await nativeSets(tokens, found, slicer) };
  }

  async #look(): Promise<Snapshot> {
    const found: Scan = await scan(this.#options, this.#environment, this.#memory, {
      onProgress: this.#onProgress,
      onSkill: (skill, folders) => {
        for (const observer of this.#observers) observer.found?.(skill, folders);
      },
    });
    const next = await this.preview(found);
    const before = this.#current;
    // Clients that are served already must not pay for the first lookup in the next snapshot.
    if (before !== undefined) await (await import('./names.ts')).prepare(next, before, createSlicer());
    this.#current = next;
    for (const observer of this.#observers) observer.ended(next, before);
    if (before !== undefined && this.#listeners.size > 0 && before.digest !== next.digest) {
      for (const listener of this.#listeners) tell(listener, next);
    }
    return next;
  }
}

/** Notifies a listener. Its failure is its own affair: neither the refresh nor the other listeners may suffer. */
function tell(listener: Listener, snapshot: Snapshot): void {
  try {
    listener(snapshot);
  } catch (error) {
    process.emitWarning(`A listener to Repertoire failed: ${String(error)}`);
  }
}

function ignore(): void {
  // Nothing to do.
}
