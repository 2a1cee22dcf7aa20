import { SkillError } from '../../core/errors.ts';
import { distinctName } from '../../registry/resolve.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { isWeak, type Signals } from '../../search/rank/fuse.ts';
import type { Engine, Request } from '../engine.ts';
import { sameness } from '../searching/ask.ts';
import { shownScore } from '../searching/hits.ts';
import { type SearchAnswer, searcherOf } from '../searching/searcher.ts';
import type { LineResult } from './figures.ts';
import type { EvaluationLine } from './file.ts';
import { judge, judgeTriggers, type RankedHit, shown } from './judge.ts';
import type { Labels } from './labels.ts';

export interface Measuring {
  readonly snapshot: Snapshot;
  readonly labels: Labels;
  /** Number of hits that are judged. */
  readonly k: number;
  readonly signals: Signals;
}

export interface Measured {
  readonly results: readonly LineResult[];
  /** Notes for people about how the answers came about. */
  readonly notes: readonly string[];
}

/** Maximum number of hits reported for a query: there may be very many queries. */
const mostShown = 10;

/** Runs every query as a search would, and compares the hits with what is expected. */
export async function measure(
  engine: Engine,
  lines: readonly EvaluationLine[],
  measuring: Measuring,
  request: Request,
): Promise<Measured> {
  const results: LineResult[] = [];
  const notes = new Set<string>();
  for (const line of lines) {
    const answer = await answerTo(engine, line.query, measuring, request);
    for (const note of answer.notes) notes.add(note);
    results.push(resultOf(line, answer, measuring));
    request.onProgress?.({ what: 'Asking queries', done: results.length, total: lines.length });
  }
  return { results, notes: [...notes] };
}

async function answerTo(
  engine: Engine,
  text: string,
  { snapshot, signals, k }: Measuring,
  { onProgress }: Request,
): Promise<SearchAnswer> {
  const answer = await searcherOf(engine).search(snapshot, {
    text,
    signals,
    limit: k,
    waitMs: Number.POSITIVE_INFINITY,
    accepts: () => Promise.resolve(true),
    isNarrowed: false,
    onProgress,
  });
  if (answer.problem !== undefined) {
    // A search goes on with words alone. Figures of that would be about something else than what is configured.
    const hint = 'Try again when the embedder answers, or measure words alone with --half words.';
    throw new SkillError('config', `meaning cannot be measured: ${answer.problem}`, { hint });
  }
  return answer;
}

function resultOf(line: EvaluationLine, answer: SearchAnswer, { snapshot, labels, k }: Measuring): LineResult {
  const hits = answer.found.map(({ skill, document }): RankedHit => {
    const score = answer.ranking.scores[document] as number;
    return {
      name: distinctName(snapshot, skill),
      score: shownScore(score),
      weak: isWeak(answer.ranking, document),
      answersTo: sameness(skill),
    };
  });
  const { relevant } = line;
  const { meaningOf } = labels;
  return {
    line: line.line,
    query: line.query,
    kind: line.kind,
    relevant,
    judgement: relevant === null || relevant.length === 0 ? null : judge(hits, relevant, { k, meaningOf }),
    triggers: judgeTriggers(hits, line, meaningOf),
    hits: hits.slice(0, mostShown).map(shown),
  };
}
