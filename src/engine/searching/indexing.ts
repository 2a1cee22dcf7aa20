import type { Environment } from '../../core/environment.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { createSlicer, type Slicer } from '../../core/time-slice.ts';
import type { Embedder, EmbedderChoice } from '../../search/embedders/embedder.ts';
import { openEmbedder } from '../../search/embedders/open.ts';
import { buildSegment } from '../../search/index/build.ts';
import { documentOf, type IndexedText, type SkillText } from '../../search/index/document.ts';
import { writeIndexFile } from '../../search/index/file.ts';
import { keyBytes, keyTable } from '../../search/index/key.ts';
import { mergeSegments, type Source } from '../../search/index/merge.ts';
import { openSegment, type Segment } from '../../search/index/segment.ts';
import { createLexicon } from '../../search/text/lexicon.ts';
import { readSkillFile } from '../loading/load.ts';
import { hasToolMark, ownToolsOf, type SkillSource, textWith, toolTextOf } from './source.ts';

/** A skill that is to be indexed. Plain data, so that it can be handed to another thread. */
export interface Wanted {
  readonly key: Uint8Array;
  readonly source: SkillSource;
  /** Mark of the sources of its tools when it was found; empty for none. */
  readonly toolMark: string;
}

/** A segment built from some skills. */
export interface Built {
  readonly bytes: Uint8Array;
  /** Reason why nothing of it could be embedded: it is found by its words alone. */
  readonly problem?: string;
}

/** Reads, tokenises and embeds skills, batch by batch. */
export type Builder = (batch: readonly Wanted[]) => Promise<Built>;

/** Terms from which a lexicon is replaced: one that large is full of words that occur once. */
const mostTerms = 500_000;

/** Creates a builder; without an embedder, its skills are found by words alone. */
export function createBuilder(choice: EmbedderChoice | null, environment: Environment): Builder {
  let lexicon = createLexicon();
  let opened: Promise<Embedder> | undefined;
  /** Reason why the embedder failed. It was given several tries, and is not asked again. */
  let problem: string | undefined;

  async function embed(read: readonly Read[]): Promise<Float32Array[] | null> {
    if (problem !== undefined || choice === null) return null;
    try {
      opened ??= openEmbedder(choice);
      const parts = read.map(({ source: { name }, text: { description, body, tools } }) => ({
        name,
        description,
        body,
        tools,
      }));
      return await (await opened).skills(parts);
    } catch (error) {
      problem = reasonOf(error);
      return null;
    }
  }

  return async (batch) => {
    const slicer = createSlicer();
    const read = await readAll(batch, environment, slicer);
    const vectors = await embed(read);
    if (lexicon.size > mostTerms) lexicon = createLexicon();
    const documents = [];
    for (const [at, { key, text }] of read.entries()) {
      if (slicer.isDue) await slicer.pause();
      documents.push(documentOf(key, text, vectors?.[at] ?? null, lexicon));
    }
    const bytes = buildSegment(documents, lexicon, vectors?.[0]?.length ?? 0);
    return { bytes, ...(problem !== undefined && { problem }) };
  };
}

interface Read extends Wanted {
  readonly text: IndexedText;
}

async function readAll(batch: readonly Wanted[], environment: Environment, slicer: Slicer): Promise<Read[]> {
  const read: Read[] = [];
  for (const wanted of batch) {
    if (slicer.isDue) await slicer.pause();
    const text = textIfUnchanged(wanted.source);
    // Most skills have no tools, and need not wait for the toolbox.
    const tools = wanted.toolMark === '' ? '' : await toolsIfUnchanged(wanted, environment);
    if (text !== null && tools !== null) read.push({ ...wanted, text: { ...text, tools } });
  }
  return read;
}

/**
 * Reads the text of a skill; null if its file changed since it was found: it has another key by now, and the next scan
 * will bring it.
 */
function textIfUnchanged(source: SkillSource): SkillText | null {
  try {
    const bytes = readSkillFile(source);
    return `sha256:${sha256(bytes)}` === source.digest ? textWith(source, bytes) : null;
  } catch (error) {
    if (error instanceof SkillError) return null;
    throw error;
  }
}

async function toolsIfUnchanged({ source, toolMark }: Wanted, environment: Environment): Promise<string | null> {
  const tools = await ownToolsOf(source, environment);
  return hasToolMark(source.id, toolMark) ? toolTextOf(tools) : null;
}

/** Segments to be merged and saved; plain data and shared memory, so that a thread can do it. */
export interface MergeJob {
  readonly segments: readonly Uint8Array[];
  /** Keys of all documents that are to be in the result. */
  readonly wanted: Uint8Array;
  /** Path that the result is saved at. */
  readonly file: string;
  readonly maker: string;
}

export interface Merged {
  readonly bytes: Uint8Array;
  /** Reason why the result could not be saved: the next start does the work again. */
  readonly problem?: string;
}

/** Number of segments that are merged in one go: more would have more terms to compare for each that is written. */
const mergedAtOnce = 8;

export async function mergeAndKeep({ segments, wanted, file, maker }: MergeJob): Promise<Merged> {
  const bytes = mergeWanted(segments, wanted);
  try {
    await writeIndexFile(file, maker, bytes);
    return { bytes };
  } catch (error) {
    return { bytes, problem: reasonOf(error) };
  }
}

/**
 * The segments that can be merged: embeddings of other dimensions, from a service that has another model by now, are of
 * no use any more.
 */
function ofOneKind(segments: readonly Segment[]): readonly Segment[] {
  const newest = segments.findLast(({ documents }) => documents > 0);
  return segments.filter(({ dimensions }) => dimensions === newest?.dimensions);
}

/** Merges all segments into one, with each wanted document once. */
function mergeWanted(segments: readonly Uint8Array[], wanted: Uint8Array): Uint8Array {
  const rowOf = keyTable(wanted);
  const isTaken = new Uint8Array(wanted.length / keyBytes);
  let sources: Source[] = ofOneKind(segments.map(openSegment)).map((segment) => {
    const lives = Uint8Array.from({ length: segment.documents }, (_, document) => {
      const row = rowOf(segment.parts.keys, document * keyBytes);
      if (row === -1 || isTaken[row] === 1) return 0;
      isTaken[row] = 1;
      return 1;
    });
    return { segment, lives: (document) => lives[document] === 1 };
  });
  while (sources.length > mergedAtOnce) {
    const groups: Source[] = [];
    for (let at = 0; at < sources.length; at += mergedAtOnce) {
      groups.push({ segment: openSegment(mergeSegments(sources.slice(at, at + mergedAtOnce))) });
    }
    sources = groups;
  }
  return mergeSegments(sources);
}
