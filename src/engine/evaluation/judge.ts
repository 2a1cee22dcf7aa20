import { type EvaluationLine, star } from './file.ts';
import type { Meaning } from './labels.ts';

/** One of the first hits, as it is reported. */
export interface EvaluationHit {
  readonly name: string;
  /** Score from 0 to 1. */
  readonly score: number;
  readonly weak: boolean;
}

/** A hit with the key that labels are compared with. */
export interface RankedHit extends EvaluationHit {
  readonly answersTo: string;
}

/** Measures of how well the first hits serve a query, each figure from 0 to 1. */
export interface Judgement {
  /** Rank of the first hit that serves, from 1. */
  readonly rank: number | null;
  readonly recall: number;
  readonly ndcg: number;
  readonly missed: readonly string[];
}

export interface TriggerOutcome {
  readonly expects: 'match' | 'no-match';
  readonly labels: readonly string[];
  readonly passed: boolean;
  /** Labels that failed the test, each with its rank and hit if there is one. */
  readonly against: readonly Against[];
}

export interface Against extends Partial<EvaluationHit> {
  readonly label: string;
  readonly rank: number | null;
}

type MeaningOf = (label: string) => Meaning;

/** Labels that one and the same hit can satisfy, which count as one. */
interface Target {
  readonly labels: readonly string[];
  readonly meaning: Meaning;
}

interface Targets {
  readonly all: ReadonlySet<Target>;
  /** Target by the key of the hits that satisfy it. */
  readonly byAnswer: ReadonlyMap<string, Target>;
}

/** Compares the first hits with the labels that are relevant, of which there is at least one. */
export function judge(
  hits: readonly RankedHit[],
  relevant: readonly string[],
  { k, meaningOf }: { readonly k: number; readonly meaningOf: MeaningOf },
): Judgement {
  const { all, byAnswer } = targetsFor(relevant, meaningOf);
  const open = new Set(all);
  const ranks: number[] = [];
  hits.forEach(({ answersTo }, index) => {
    const target = byAnswer.get(answersTo);
    // A second hit for the same label is no second gain.
    if (target !== undefined && open.delete(target)) ranks.push(index + 1);
  });
  const ideal = Array.from({ length: Math.min(k, all.size) }, (_, index) => index + 1);
  return {
    rank: ranks[0] ?? null,
    recall: ranks.length / all.size,
    ndcg: gain(ranks) / gain(ideal),
    missed: [...open].flatMap(({ labels }) => labels),
  };
}

function targetsFor(labels: readonly string[], meaningOf: MeaningOf): Targets {
  const all = new Set<Target>();
  const byAnswer = new Map<string, Target>();
  for (const label of labels) {
    const meaning = meaningOf(label);
    const shared = new Set([...meaning].flatMap((answer) => byAnswer.get(answer) ?? []));
    const target = {
      labels: [...[...shared].flatMap((other) => other.labels), label],
      meaning: new Set([...meaning, ...[...shared].flatMap((other) => [...other.meaning])]),
    };
    for (const other of shared) all.delete(other);
    all.add(target);
    for (const answer of target.meaning) byAnswer.set(answer, target);
  }
  return { all, byAnswer };
}

/** Discounted gain: the further down a hit stands, the less it is worth. */
function gain(ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + 1 / Math.log2(rank + 1), 0);
}

/** Tells whether a query finds what it should, and leaves alone what it should not. */
export function judgeTriggers(
  hits: readonly RankedHit[],
  { shouldMatch, shouldNotMatch }: EvaluationLine,
  meaningOf: MeaningOf,
): TriggerOutcome[] {
  const best = (label: string): Against => {
    const at = hits.findIndex(({ answersTo }) => label === star || meaningOf(label).has(answersTo));
    const hit = hits[at];
    return hit === undefined ? { label, rank: null } : { label, rank: at + 1, ...shown(hit) };
  };
  const isStrong = ({ weak = true }: Against): boolean => !weak;
  const avoided = shouldNotMatch === star ? [star] : shouldNotMatch;
  const outcomes = [
    outcome('match', shouldMatch, (label) => !isStrong(best(label)), best),
    outcome('no-match', avoided, (label) => isStrong(best(label)), best),
  ];
  return outcomes.filter(({ labels }) => labels.length > 0);
}

function outcome(
  expects: TriggerOutcome['expects'],
  labels: readonly string[],
  isAgainst: (label: string) => boolean,
  best: (label: string) => Against,
): TriggerOutcome {
  const against = labels.filter(isAgainst).map(best);
  return { expects, labels, passed: against.length === 0, against };
}

/** A hit without internal fields, as it is reported. */
export function shown({ name, score, weak }: RankedHit): EvaluationHit {
  return { name, score, weak };
}
