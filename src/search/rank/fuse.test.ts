import { describe, expect, it } from 'vitest';
import { runSync } from '../../core/time-slice.ts';
import { buildSegment } from '../index/build.ts';
import { documentOf } from '../index/document.ts';
import { keyBytes } from '../index/key.ts';
import { openSegment } from '../index/segment.ts';
import { askedWords } from '../text/asked.ts';
import { createLexicon } from '../text/lexicon.ts';
import { type Collection, collectionOf } from './collection.ts';
import {
  comeBehind,
  compareHits,
  evidenceIn,
  isWeak,
  lookCloser,
  meaningOf,
  type Ranking,
  rank,
  type Signals,
} from './fuse.ts';

const dimensions = 16;
const texts = ['merge several pdf files', 'roll out a kubernetes deployment', 'translate letters'];

/** Creates a collection in which each skill points in a direction of its own. */
function collected(said: readonly string[] = texts): Collection {
  const lexicon = createLexicon();
  const documents = said.map((description, at) => {
    const text = { names: '', description, metadata: '', body: '', tools: '' };
    return documentOf(new Uint8Array(keyBytes), text, embeddingOf(at), lexicon);
  });
  return collectionOf([openSegment(buildSegment(documents, lexicon, dimensions))], new Uint8Array(said.length).fill(1));
}

function embeddingOf(at: number): Float32Array {
  return Float32Array.from({ length: dimensions }, (_, index) => (index === at ? 1 : 0));
}

function ranked(text: string, signals: Signals = 'both'): Ranking {
  return runSync(rank(collected(), { words: askedWords(text), embedding: embeddingOf(1) }, signals));
}

/** Makes the second pass over one skill, with the given nearness of words. */
function closer(ranking: Ranking, document: number, near: number): Ranking {
  const text = texts[document] as string;
  const nearWords = (said: readonly string[]) => ({ said: said.join() === text ? near : 0, besides: 0 });
  return lookCloser(ranking, { nearWords, likeness: 0 }, new Map([[document, [text]]]));
}

describe('the share of words', () => {
  it('is a third where skills say every word of the question', () => {
    expect(ranked('merge pdf').share).toBeCloseTo(0.66, 6);
  });

  it('grows with the words that no skill says, and more so with misspelt ones', () => {
    expect(ranked('合并文件').share).toBeCloseTo(0.49, 6);
    expect(ranked('kubernetse').share).toBeCloseTo(0.3, 6);
    const half = ranked('pdf 合并').share;
    expect(half).toBeGreaterThan(0.49);
    expect(half).toBeLessThan(0.66);
  });

  it('is least where the collection has skills in the language of a question in Chinese', () => {
    const mixed = (said: string) =>
      runSync(
        rank(collected([...texts, said]), { words: askedWords('合并多个文件'), embedding: embeddingOf(1) }, 'both'),
      ).share;
    expect(mixed('把多个文件合并成一个')).toBeCloseTo(0.7, 6);
    expect(mixed('写一份多个季度的报告')).toBeGreaterThan(0.55);
    expect(mixed('ファイルを開く')).toBeCloseTo(0.49, 6);
  });

  it('is more than half where the question is one word that a skill says', () => {
    expect(ranked('kubernetes').share).toBeCloseTo(0.4, 6);
  });

  it('is 1 or 0 where one signal alone is asked for', () => {
    expect(ranked('merge pdf', 'meaning').share).toBe(1);
    expect(ranked('merge pdf', 'words').share).toBe(0);
  });
});

describe('a weak hit', () => {
  it('makes those after it weak, whatever speaks for them, and so does a first one that is far ahead', () => {
    const marks = (evidence: readonly number[], scores: readonly number[]) => {
      const ranking = {
        ...ranked('merge pdf'),
        evidence: Float32Array.from(evidence),
        scores: Float32Array.from(scores),
      };
      compareHits(ranking, [1, 0, 2]);
      return [1, 0, 2].map((document) => isWeak(ranking, document));
    };
    expect(marks([0.3, 0.3, 0.3], [0.5, 0.6, 0.4])).toEqual([false, false, false]);
    expect(marks([0.1, 0.3, 0.3], [0.5, 0.6, 0.4])).toEqual([false, true, true]);
    expect(marks([0.3, 0.1, 0.3], [0.5, 0.6, 0.4])).toEqual([true, true, true]);
    expect(marks([0.3, 0.3, 0.3], [0.5, 0.6, 0.1])).toEqual([false, false, true]);
  });
});

describe('the second pass', () => {
  it('takes similarity and near words together as meaning, for the hits that it was given', () => {
    const before = ranked('merge pdf');
    const [untouched, similarity] = [before.scores[0] as number, before.meaning[1] as number];
    const { scores, words, meaning, share } = closer(before, 1, 0.5);
    expect(meaning[1]).toBeCloseTo(((similarity + 0.5) / 2 - 0.35) / 0.65, 6);
    expect(scores[1]).toBeCloseTo(share * (meaning[1] as number) + (1 - share) * (words[1] as number), 6);
    expect(scores[0]).toBe(untouched);
  });

  it('counts scores that chance would bring as next to nothing, and keeps their order', () => {
    const { meaning } = closer(ranked('merge pdf'), 2, 0.6);
    expect(meaning[2]).toBeCloseTo(0.015);
    expect(meaningOf(0.2, 0.3)).toBeGreaterThan(meaningOf(0.1, 0.3));
    expect(meaningOf(0, 0)).toBe(0);
  });

  it('leaves hits that it was not given behind the last that it was', () => {
    const ranking = closer(ranked('kubernetes translate'), 1, 0.5);
    const { scores, evidence } = ranking;
    [scores[0], scores[1], scores[2]] = [0.001, 0.3, 0.9];
    comeBehind(ranking, 1, [2, 0]);
    expect(scores[2]).toBe(scores[1]);
    expect(scores[0]).toBeCloseTo(0.001);
    expect(evidence[2]).toBeCloseTo(0.46 * (ranking.words[2] as number), 6);
  });

  it('takes the beginning of a longer word for a name that was not typed in full, and no short one', () => {
    const evidence = (question: string) => {
      const ranking = closer(
        runSync(rank(collected(), { words: askedWords(question), embedding: embeddingOf(5) }, 'both')),
        1,
        0,
      );
      return (ranking.evidence[1] as number) / (ranking.words[1] as number);
    };
    expect(evidence('kubern')).toBeCloseTo(1.46, 5);
    expect(evidence('kuber')).toBeCloseTo(0.46, 5);
    expect(evidence('kubern roll')).toBeCloseTo(0.46, 5);
  });

  it('asks for more evidence where the question does not sound like a task', () => {
    const weak = [-3, 0, 3].map((likeness) => {
      const evidence = Float32Array.of(
        evidenceIn({ words: 0.05, similarity: 0.25, besides: 0.05, misspelt: 0, isBegun: false, likeness }),
      );
      return isWeak({ ...ranked('merge pdf'), evidence }, 0);
    });
    expect(weak).toEqual([true, true, false]);
  });
});
