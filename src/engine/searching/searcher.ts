import { statOf } from '../../core/disk/files.ts';
import { SkillError } from '../../core/errors.ts';
import type { OnProgress } from '../../core/progress.ts';
import { count, flag, type Infer, nullable, object, text } from '../../core/schema/schema.ts';
import { createSlicer, runSliced } from '../../core/time-slice.ts';
import { allNames } from '../../registry/names.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { type Embedder, type EmbedderChoice, embedderId } from '../../search/embedders/embedder.ts';
import { openEmbedder } from '../../search/embedders/open.ts';
import { makerOf } from '../../search/index/file.ts';
import type { Engine } from '../engine.ts';
import { type Answer, type Asking, ask } from './ask.ts';
import type { DocumentMap } from './document-map.ts';
import { embedderChoiceOf } from './embedder-choice.ts';
import { createIndexManager, type IndexManager } from './index-manager.ts';
import { indexFiles } from './segments.ts';

interface SearchRequest extends Asking {
  readonly text: string;
  /** Milliseconds to wait for skills that are not in the index yet. */
  readonly waitMs: number;
  readonly onProgress?: OnProgress | undefined;
}

export interface SearchAnswer extends Answer {
  readonly documentMap: DocumentMap;
  /** Notes for a person on how the answer came about. */
  readonly notes: readonly string[];
  /** The embedder of the query, if it was embedded. */
  readonly embedder: Promise<Embedder> | undefined;
  /** Number of skills that were read and embedded meanwhile. */
  readonly added: number;
  /** Whether more are being read. */
  readonly isGrowing: boolean;
}

/** Answers questions about the skills of one engine. The index is opened for the first of them. */
export interface Searcher {
  /** Announces a search that waits for the scan: what can be done meanwhile is begun. */
  begin(): void;
  search(snapshot: Snapshot, request: SearchRequest): Promise<SearchAnswer>;
  /** The documents of the skills in the index that is on disk, without adding to it. */
  look(snapshot: Snapshot): Promise<DocumentMap>;
  /** Tells whether skills are being read. */
  isGrowing(): boolean;
  /** Resolves when the index is saved for the next start, with the notes on that. */
  settled(): Promise<readonly string[]>;
}

/** The one searcher of an engine. */
export function searcherOf(engine: Engine): Searcher {
  engine.searcher ??= createSearcher(engine);
  return engine.searcher;
}

/** Milliseconds for which a service that did not answer a query is left alone. */
const restMs = 60_000;

function createSearcher(engine: Engine): Searcher {
  let opened: { readonly choice: EmbedderChoice; readonly indexManager: IndexManager } | undefined;
  let embedder: Promise<Embedder> | undefined;
  let silence: { readonly until: number; readonly problem: string } | undefined;

  /** Opens the index by the settings. These may turn out to be wrong: then only the searches that need them fail. */
  function open() {
    if (opened !== undefined) return opened;
    const choice = embedderChoiceOf(engine.configuration.values);
    const indexManager = createIndexManager(engine, choice);
    engine.disposers.add(() => indexManager.close());
    opened = { choice, indexManager };
    return opened;
  }

  async function answerTo(
    documentMap: DocumentMap,
    text: string,
    asking: Asking,
    choice: EmbedderChoice,
  ): Promise<Answer> {
    if (silence !== undefined && Date.now() < silence.until && asking.signals !== 'words') {
      return { ...(await ask(documentMap, text, undefined, asking, engine.environment)), problem: silence.problem };
    }
    embedder ??= openEmbedder(choice);
    const answer = await ask(documentMap, text, embedder, asking, engine.environment);
    if (answer.problem === undefined) return answer;
    // The service may have another model by the time it answers again.
    embedder = undefined;
    if (choice.kind === 'http') silence = { until: Date.now() + restMs, problem: answer.problem };
    return answer;
  }

  return {
    begin: () => open().indexManager.begin(engine.registry),
    async search(snapshot, { text, waitMs, onProgress, ...asking }) {
      const { choice, indexManager } = open();
      const before = indexManager.added();
      let documentMap = await indexManager.follow(snapshot, waitMs, onProgress);
      // Hits are shown by names, whose lookup tables take a while to be made.
      await runSliced(allNames(snapshot), createSlicer());
      let answer = await answerTo(documentMap, text, asking, choice);
      if (isStrange(answer, documentMap)) {
        // The service has another model behind the same name by now: nothing of the index can be compared with it.
        await indexManager.forget();
        documentMap = await indexManager.follow(snapshot, waitMs, onProgress);
        answer = await answerTo(documentMap, text, asking, choice);
      }
      const { problem } = answer;
      const notes =
        problem === undefined ? [] : [`the query could not be embedded (${problem}); the results are by words only`];
      return {
        ...answer,
        documentMap,
        embedder,
        added: indexManager.added() - before,
        isGrowing: indexManager.isGrowing(),
        notes: [...indexManager.notes(), ...notes],
      };
    },
    look: (snapshot) => open().indexManager.look(snapshot),
    isGrowing: () => opened?.indexManager.isGrowing() ?? false,
    async settled() {
      if (opened === undefined) return [];
      const { indexManager } = opened;
      const before = indexManager.notes();
      await indexManager.settled();
      return indexManager.notes().filter((note) => !before.includes(note));
    },
  };
}

/** Tells whether the query has other dimensions than some of the documents. */
function isStrange({ question: { embedding } }: Answer, { collection }: DocumentMap): boolean {
  if (embedding === null) return false;
  return collection.parts.some(({ segment: { dimensions } }) => dimensions > 0 && dimensions !== embedding.length);
}

/** The state of the index. */
export const indexHealthSchema = object({
  ready: count('How many of the visible skills can be found.'),
  total: count(),
  growing: flag('Whether more are being read.'),
  // Name of the embedder.
  embedder: text(),
  path: nullable(text(), 'Null where nothing is stored on disk yet.'),
  bytes: nullable(count()),
});
export type IndexHealth = Infer<typeof indexHealthSchema>;

/** Inspects the index as it is, and adds nothing to it. */
export async function indexHealth(engine: Engine): Promise<IndexHealth> {
  const snapshot = await engine.registry.snapshot();
  const total = snapshot.visible.length;
  const choice = choiceOf(engine);
  if (typeof choice === 'string') {
    return { ready: 0, total, growing: false, embedder: choice, path: null, bytes: null };
  }
  const searcher = searcherOf(engine);
  const { ready } = await searcher.look(snapshot);
  const { file } = indexFiles(engine.environment, makerOf(embedderId(choice))).targetFor(snapshot.scan);
  const stats = statOf(file);
  const kept = stats.ok ? { path: file, bytes: stats.value.size } : { path: null, bytes: null };
  return { ready, total, growing: searcher.isGrowing(), embedder: nameOf(choice), ...kept };
}

/** The embedder that the settings choose, or what is wrong with them: that is no reason to report nothing else. */
function choiceOf({ configuration }: Engine): EmbedderChoice | string {
  try {
    return embedderChoiceOf(configuration.values);
  } catch (error) {
    if (error instanceof SkillError) return error.message;
    throw error;
  }
}

/** The name of an embedder, without whatever else its address may hold. */
function nameOf(choice: EmbedderChoice): string {
  return choice.kind === 'local' ? 'built in' : `${choice.model} at ${new URL(choice.url).host}`;
}
