import type { DiscoveryOptions } from '../discovery/roots.ts';
import { type OnProgress, type Scan, type ScanMemory, scan } from '../discovery/scan.ts';
import type { Environment } from '../kernel/environment.ts';
import { expandPath } from '../kernel/paths.ts';
import { Snapshot, type View } from './snapshot.ts';

export type Listener = (snapshot: Snapshot) => void;

/**
 * Holds the current snapshot and replaces it. A refresh builds the next one beside it and swaps it in by one
 * assignment: no reader ever sees half a registry, waits for a refresh, or fails because of one.
 */
export class Registry {
  readonly #options: DiscoveryOptions;
  readonly #view: View;
  readonly #environment: Environment;
  readonly #onProgress: OnProgress | undefined;
  readonly #memory: ScanMemory = new Map();
  readonly #listeners = new Set<Listener>();
  #current: Snapshot | undefined;
  #running: Promise<Snapshot> | undefined;
  #next: Promise<Snapshot> | undefined;

  constructor(options: DiscoveryOptions, view: View, environment: Environment, onProgress?: OnProgress) {
    this.#options = options;
    this.#view = view;
    this.#environment = environment;
    this.#onProgress = onProgress;
  }

  /** The snapshot as it stands, or undefined before the first scan has ended. */
  get current(): Snapshot | undefined {
    return this.#current;
  }

  /** The snapshot as it stands; the first caller waits for the first scan. */
  async snapshot(): Promise<Snapshot> {
    return this.#current ?? (await this.refresh());
  }

  /**
   * Looks at the disk again. There is never more than one look at a time: who asks while one is under way, which may
   * have missed what was just changed, shares the next. A look that fails leaves everything as it was.
   */
  refresh(): Promise<Snapshot> {
    this.#next ??= this.#startNext();
    return this.#next;
  }

  async #startNext(): Promise<Snapshot> {
    await this.#running?.then(ignore, ignore); // how that one ended is told to those who asked for it
    await Promise.resolve(); // whoever asks in the same breath still shares this one
    this.#next = undefined;
    this.#running = this.#build();
    return this.#running;
  }

  /** Calls the listener whenever what is visible has changed. Returns a function that ends it. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #build(): Promise<Snapshot> {
    const found: Scan = await scan(this.#options, this.#environment, this.#memory, this.#onProgress);
    const next = new Snapshot(found, this.#view, (path) => expandPath(path, this.#environment));
    const before = this.#current;
    // Who is served already must not pay for the first lookup in the next snapshot.
    if (before !== undefined) await next.prepare();
    this.#current = next;
    if (before !== undefined && this.#listeners.size > 0 && before.digest !== next.digest) {
      for (const listener of this.#listeners) tell(listener, next);
    }
    return next;
  }
}

/** A listener that fails is its own affair: neither the refresh nor the other listeners may suffer. */
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
