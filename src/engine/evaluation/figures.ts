import { addTo } from '../../core/maps.ts';
import type { EvaluationLine } from './file.ts';
import type { EvaluationHit, Judgement, TriggerOutcome } from './judge.ts';

/** The result of one line. */
export interface LineResult extends Pick<EvaluationLine, 'line' | 'query' | 'kind' | 'relevant'> {
  /** Judgement of the hits; null where the line does not say what is relevant, or says that nothing is. */
  readonly judgement: Judgement | null;
  readonly triggers: readonly TriggerOutcome[];
  /** The first hits. */
  readonly hits: readonly EvaluationHit[];
}

/** Means over queries, in per cent. */
export interface Figures {
  readonly hitAt1: number;
  readonly hitAtK: number;
  readonly recall: number;
  readonly mrr: number;
  readonly ndcg: number;
}

/** Figures for queries that no skill is about. */
interface OffTopic {
  readonly queries: number;
  /** Number of queries that found nothing, or only weak hits. */
  readonly quiet: number;
  /** Share of them in per cent. */
  readonly share: number;
}

export interface Summary {
  /** Number of queries behind the figures. */
  readonly queries: number;
  readonly figures: Figures | null;
  readonly offTopic: OffTopic | null;
}

const measures: Readonly<Record<keyof Figures, (judgement: Judgement) => number>> = {
  hitAt1: ({ rank }) => (rank === 1 ? 1 : 0),
  hitAtK: ({ rank }) => (rank === null ? 0 : 1),
  recall: ({ recall }) => recall,
  mrr: ({ rank }) => (rank === null ? 0 : 1 / rank),
  ndcg: ({ ndcg }) => ndcg,
};

export function summaryOf(results: readonly LineResult[]): Summary {
  const judgements = results.flatMap(({ judgement }) => judgement ?? []);
  return {
    queries: judgements.length,
    figures: judgements.length === 0 ? null : figuresOf(judgements),
    offTopic: offTopicOf(results.filter(isOffTopic)),
  };
}

/** Sums up results by kind, in the order of the file; empty if no line has a kind. */
export function summariesByKind(results: readonly LineResult[]): ({ readonly kind: string | null } & Summary)[] {
  const groups = new Map<string | null, LineResult[]>();
  for (const result of results) if (result.relevant !== null) addTo(groups, result.kind, result);
  if ([...groups.keys()].every((kind) => kind === null)) return [];
  return [...groups].map(([kind, those]) => ({ kind, ...summaryOf(those) }));
}

function figuresOf(judgements: readonly Judgement[]): Figures {
  const figures = Object.entries(measures).map(([name, measure]) => {
    const sum = judgements.reduce((total, judgement) => total + measure(judgement), 0);
    return [name, percent(sum, judgements.length)];
  });
  return Object.fromEntries(figures) as Figures;
}

export function isOffTopic({ relevant }: Pick<LineResult, 'relevant'>): boolean {
  return relevant?.length === 0;
}

export function isQuiet({ hits }: Pick<LineResult, 'hits'>): boolean {
  return hits.every(({ weak }) => weak);
}

function offTopicOf(results: readonly LineResult[]): OffTopic | null {
  if (results.length === 0) return null;
  const quiet = results.filter(isQuiet).length;
  return { queries: results.length, quiet, share: percent(quiet, results.length) };
}

/** A share in per cent, rounded to four places so that parts of a whole add up to it. */
function percent(part: number, whole: number): number {
  return Math.round((part / whole) * 1e6) / 1e4;
}
