import { reasonOf } from '../../core/errors.ts';
import type { OnProgress, Progress } from '../../core/progress.ts';
import { settlesWithin } from '../../core/settles-within.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { type EmbedderChoice, embedderId } from '../../search/embedders/embedder.ts';
import { makerOf } from '../../search/index/file.ts';
import type { Engine } from '../engine.ts';
import { type DocumentMap, isMostlyDead } from './document-map.ts';
import { type Built, createBuilder } from './indexing.ts';
import { createSaver, createSegmentStore, indexFiles, isEmbedded } from './segments.ts';
import { withoutProject } from './source.ts';
import {
  areFew,
  batchesOf,
  buildAll,
  buildOnThreads,
  type EarlyBatches,
  earlyBatches,
  few,
  type ThreadWork,
} from './threads.ts';

/** Keeps an index in step with the registry. */
export interface IndexManager {
  /** Begins to index skills while a scan finds them, where nothing is indexed yet. */
  begin(registry: Pick<Registry, 'observe'>): void;
  /** Brings the index up to a snapshot, and returns the state of it. Skills that are not ready in time come later. */
  follow(snapshot: Snapshot, waitMs: number, onProgress?: OnProgress): Promise<DocumentMap>;
  /** The state of the index that is on disk, without adding to it. */
  look(snapshot: Snapshot): Promise<DocumentMap>;
  /** Number of skills that were read since the beginning. */
  added(): number;
  /** Tells whether skills are being read. */
  isGrowing(): boolean;
  /** Discards the index; the next call rebuilds it. */
  forget(): Promise<void>;
  /** Problems on the way, in words. None of them keeps a search from being answered. */
  notes(): readonly string[];
  /** Resolves when the whole index is saved to disk. */
  settled(): Promise<void>;
  close(): void;
}

/** Delays of saving: small additions are written together, and the rarer the longer writing takes. */
const saving = { afterMs: 2000, restFactor: 20 } as const;
/** Milliseconds after which a service that did not answer is asked again, and for which a search waits for it. */
const [retryMs, serviceWaitMs] = [60_000, 10_000];

export function createIndexManager(engine: Pick<Engine, 'environment'>, choice: EmbedderChoice): IndexManager {
  const environment = withoutProject(engine.environment);
  const files = indexFiles(engine.environment, makerOf(embedderId(choice)));
  const notes = createNotes();
  // Skills that the filters hide are indexed too, as other views share the index; but no service is sent them.
  const segmentStore = createSegmentStore(({ scan, visible }) => (choice.kind === 'local' ? scan.skills : visible));
  const saver = createSaver({ segmentStore, files, notes, onThreads });
  /** The embedder that is used at once. Until a service answers, which takes time, new skills are found by words. */
  const atOnce = choice.kind === 'local' ? choice : null;
  const listeners = new Set<OnProgress>();
  let latest: Snapshot | undefined;
  /** Last snapshot for which everything was done: what is missing by then cannot be read for now. */
  let done: Snapshot | undefined;
  let opening: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();
  let endThreads: (() => void) | undefined;
  /** Skills that are added before it is known which are missing, and the number of them that is not counted yet. */
  let early: EarlyBatches | undefined;
  let addedEarly = 0;
  let saveTimer: NodeJS.Timeout | undefined;
  let embedding: Promise<void> | undefined;
  let endEmbedding: (() => void) | undefined;
  /** Time at which a service that did not answer is asked again. */
  let retryAt = Number.POSITIVE_INFINITY;
  let added = 0;
  let isClosed = false;

  function open({ scan }: Snapshot): Promise<void> {
    opening ??= files.open(scan).then(({ segment, damage }) => {
      if (segment !== undefined) segmentStore.replace([segment]);
      notes.tell('damage', damage);
      saver.isDue ||= damage !== undefined;
    });
    return opening;
  }

  function tellAll(progress: Progress): void {
    for (const tell of listeners) tell(progress);
  }

  function take({ bytes }: Built): number {
    saver.isDue = true;
    return segmentStore.add(bytes).documents;
  }

  /** Runs work that changes the segments, one at a time. */
  function run(work: () => Promise<void>): Promise<void> {
    running = running.then(work).then(
      () => notes.tell('indexing', undefined),
      (error: unknown) => notes.tell('indexing', isClosed ? undefined : reasonOf(error)),
    );
    return running;
  }

  async function onThreads<T>(work: ThreadWork<T>): Promise<T> {
    endThreads = () => work.end();
    return work.done.finally(() => {
      endThreads = undefined;
    });
  }

  async function addEarly(batches: EarlyBatches): Promise<void> {
    const onBuilt = (built: Built) => {
      addedEarly += take(built);
      tellAll({ what: 'Indexing skills', done: addedEarly, total: batches.size });
    };
    await onThreads(buildOnThreads(batches, atOnce, environment, onBuilt)).finally(() => batches.end());
  }

  async function catchUp(): Promise<void> {
    [added, addedEarly] = [added + addedEarly, 0];
    while (latest !== undefined && latest !== done && !isClosed) {
      const snapshot = latest;
      const documentMap = await segmentStore.place(snapshot);
      try {
        await addMissing(documentMap);
      } finally {
        done = snapshot;
        saver.isDue ||= isMostlyDead(documentMap);
        if (saver.isDue) saveLater(documentMap.missing.length > few.skills ? 0 : saving.afterMs);
      }
    }
  }

  async function addMissing(documentMap: DocumentMap): Promise<void> {
    const total = documentMap.missing.length;
    if (total === 0) return;
    let ready = 0;
    let problem: string | undefined;
    const tell = () => tellAll({ what: 'Indexing skills', done: ready, total });
    const onBuilt = (built: Built) => {
      const documents = take(built);
      [ready, added] = [ready + documents, added + documents];
      problem ??= built.problem;
      tell();
    };
    tell();
    if (areFew(documentMap)) await buildAll(batchesOf(documentMap), createBuilder(atOnce, environment), onBuilt);
    else await addOnThreads(documentMap, onBuilt);
    if (atOnce !== null) notes.tell('embedding', problem);
  }

  /** Adds skills on threads. If these fail, which should not be, the rest is done here, if more slowly for others. */
  async function addOnThreads(documentMap: DocumentMap, onBuilt: (built: Built) => void): Promise<void> {
    try {
      await onThreads(buildOnThreads(batchesOf(documentMap), atOnce, environment, onBuilt));
    } catch (error) {
      if (isClosed) throw error;
      await buildAll(
        batchesOf(await segmentStore.place(documentMap.snapshot)),
        createBuilder(atOnce, environment),
        onBuilt,
      );
    }
  }

  /** Has a service embed what is found by words alone so far. Nothing else waits for it. */
  async function embedRest(): Promise<void> {
    if (latest === undefined || isClosed) return;
    const documentMap = await segmentStore.placeEmbedded(latest);
    const total = documentMap.missing.length;
    let ready = 0;
    let problem: string | undefined;
    const work = buildOnThreads(batchesOf(documentMap), choice, environment, (built) => {
      problem ??= built.problem;
      if (built.problem !== undefined) return;
      ready += take(built);
      tellAll({ what: 'Embedding skills', done: ready, total });
    });
    endEmbedding = () => work.end();
    await work.done;
    notes.tell('embedding', problem);
    retryAt = problem === undefined ? Number.POSITIVE_INFINITY : Date.now() + retryMs;
    await run(dropCovered);
  }

  /** Drops segments without embeddings once all of their skills are embedded in others. */
  async function dropCovered(): Promise<void> {
    if (latest === undefined) return;
    const { missing } = await segmentStore.placeEmbedded(latest);
    if (missing.length === 0) segmentStore.replace(segmentStore.segments.filter(isEmbedded));
    if (saver.isDue) saveLater(0);
  }

  /** Asks the service, unless it is being asked or was asked a moment ago and did not answer. */
  async function embedded(): Promise<void> {
    if (atOnce !== null || (retryAt !== Number.POSITIVE_INFINITY && Date.now() < retryAt)) return;
    embedding ??= embedRest()
      .catch((error: unknown) => {
        notes.tell('embedding', isClosed ? undefined : reasonOf(error));
        retryAt = Date.now() + retryMs;
      })
      .finally(() => {
        embedding = undefined;
      });
    await embedding;
  }

  async function save(): Promise<void> {
    clearTimeout(saveTimer);
    saveTimer = undefined;
    if (latest !== undefined && !isClosed) await saver.save(latest);
  }

  function saveLater(afterMs: number): void {
    saveTimer ??= setTimeout(() => void run(save), afterMs + saver.lastMs * saving.restFactor).unref();
  }

  return {
    begin(registry) {
      if (early !== undefined || atOnce === null || opening !== undefined || !files.isEmpty()) return;
      const batches = earlyBatches(registry);
      early = batches;
      void run(() => addEarly(batches));
    },
    async follow(snapshot, waitMs, onProgress = () => {}) {
      await open(snapshot);
      latest = snapshot;
      listeners.add(onProgress);
      try {
        if (done !== snapshot) await settlesWithin(waitMs, run(catchUp));
        const documentMap = await segmentStore.place(snapshot);
        if (atOnce !== null || documentMap.collection.parts.every(({ segment }) => isEmbedded(segment)))
          return documentMap;
        await settlesWithin(Math.min(waitMs, serviceWaitMs), embedded());
        return await segmentStore.place(snapshot);
      } finally {
        listeners.delete(onProgress);
      }
    },
    async look(snapshot) {
      await open(snapshot);
      return segmentStore.place(snapshot);
    },
    added: () => added,
    isGrowing: () => latest !== done,
    forget: () =>
      run(async () => {
        segmentStore.replace([]);
        done = undefined;
      }),
    notes: () => notes.all(),
    async settled() {
      await settlesWithin(Number.POSITIVE_INFINITY, run(save));
    },
    close() {
      isClosed = true;
      clearTimeout(saveTimer);
      early?.end();
      endThreads?.();
      endEmbedding?.();
    },
  };
}

/** Problems of an index, by subject, until it works again. */
export interface IndexNotes {
  /** Records a problem; without a reason, it is over. */
  tell(about: keyof typeof words, reason: string | undefined): void;
  /** The problems in words. That a file could not be used is reported once: by then it is rebuilt. */
  all(): readonly string[];
}

const words = {
  damage: (reason: string) => `the search index could not be used (${reason}) and is rebuilt`,
  indexing: (reason: string) => `not every skill could be indexed (${reason})`,
  embedding: (reason: string) => `not every skill could be embedded (${reason}); those are found by words only`,
  keeping: (reason: string) => `the search index cannot be saved (${reason}); the next start rebuilds it`,
} as const;

function createNotes(): IndexNotes {
  const notes = new Map<string, string>();
  return {
    tell(about, reason) {
      if (reason === undefined) notes.delete(about);
      else notes.set(about, words[about](reason));
    },
    all() {
      const all = [...notes.values()];
      notes.delete('damage');
      return all;
    },
  };
}
