import { dirname } from 'node:path';
import { expandPath, isInside } from '../core/disk/paths.ts';
import type { Environment } from '../core/environment.ts';
import type { DiscoveryOptions } from '../discovery/roots.ts';
import type { Scan } from '../discovery/scan.ts';
import type { Skill } from '../skill/types.ts';
import { type FilterTokens, matcherOf } from './filters.ts';
import { type Listener, type Observer, Registry } from './registry.ts';
import { Snapshot, type View } from './snapshot.ts';

/**
 * The registry of somebody who may see some skills only. Its snapshots are made from those of the whole one, and hold
 * nothing of the others: no name, no count, no diagnostic.
 */
export class NarrowRegistry extends Registry {
  readonly #whole: Registry;
  readonly #tokens: FilterTokens;
  readonly #environment: Environment;
  /** Snapshots by those that they were made from: indexes and lists are kept by them. */
  readonly #made = new WeakMap<Snapshot, Snapshot>();

  constructor(whole: Registry, tokens: FilterTokens, options: DiscoveryOptions & View, environment: Environment) {
    super(options, options, environment);
    this.#whole = whole;
    this.#tokens = tokens;
    this.#environment = environment;
  }

  override get current(): Snapshot | undefined {
    const { current } = this.#whole;
    return current && this.#narrowed(current);
  }

  override get running(): Promise<Snapshot> | undefined {
    return this.#whole.running?.then((snapshot) => this.#narrowed(snapshot));
  }

  override async snapshot(): Promise<Snapshot> {
    return this.#narrowed(await this.#whole.snapshot());
  }

  override async refresh(): Promise<Snapshot> {
    return this.#narrowed(await this.#whole.refresh());
  }

  override async preview(found: Scan): Promise<Snapshot> {
    return this.#narrowed(await this.#whole.preview(found));
  }

  override subscribe(listener: Listener): () => void {
    return this.#whole.subscribe((snapshot) => listener(this.#narrowed(snapshot)));
  }

  /** Skills are not told of one by one: only a whole scan says which of them are seen. */
  override observe(observer: Observer): () => void {
    return this.#whole.observe({
      began: () => observer.began(),
      failed: (error) => observer.failed(error),
      ended: (snapshot, before) => observer.ended(this.#narrowed(snapshot), before && this.#narrowed(before)),
    });
  }

  #narrowed(from: Snapshot): Snapshot {
    const known = this.#made.get(from);
    if (known !== undefined) return known;
    const filePath = (path: string): string => expandPath(path, this.#environment);
    const isSeen = matcherOf(this.#tokens, from.skills, filePath);
    const skills = from.skills.filter(isSeen);
    const folders = new Set(skills.map(({ id }) => id));
    const { include, onDuplicate, quarantine } = from.view;
    const snapshot = new Snapshot(
      narrowedScan(from.scan, skills),
      {
        // What the server itself leaves out is gone from the skills already.
        ...{ include: include.filter((token) => token === 'all'), exclude: [], onDuplicate },
        quarantine: new Map([...(quarantine ?? [])].filter(([folder]) => folders.has(folder))),
      },
      filePath,
    );
    this.#made.set(from, snapshot);
    return snapshot;
  }
}

function narrowedScan(scan: Scan, skills: readonly Skill[]): Scan {
  const own = new Set(skills.flatMap(({ dir, id }) => [dir, id]));
  const isOf = (path: string): boolean => own.has(path) || (path !== dirname(path) && isOf(dirname(path)));
  const below = (path: string): number => skills.filter(({ dir }) => isInside(path, dir)).length;
  return {
    ...scan,
    skills,
    diagnostics: scan.diagnostics.filter(({ file }) => isOf(file)),
    roots: scan.roots.map((report) => ({ ...report, skills: below(report.root.path) })).filter((one) => one.skills > 0),
    hidden: [],
    missing: [],
    aliases: new Map([...scan.aliases].filter(([folder]) => isOf(folder))),
    folders: new Map([...scan.folders].filter(([folder]) => isOf(folder))),
    counts: { reused: 0, read: skills.length },
  };
}
