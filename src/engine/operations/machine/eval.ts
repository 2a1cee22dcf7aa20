import { SkillError } from '../../../core/errors.ts';
import { addTo } from '../../../core/maps.ts';
import { choice, integer, optional, text } from '../../../core/schema/schema.ts';
import { count } from '../../../core/text/text.ts';
import { type Figures, type LineResult, type Summary, summariesByKind, summaryOf } from '../../evaluation/figures.ts';
import { type EvaluationLine, placesOf, readEvaluation, star } from '../../evaluation/file.ts';
import { createLabels, type Labels } from '../../evaluation/labels.ts';
import { measure } from '../../evaluation/measure.ts';
import { defineOperation } from '../../operation.ts';
import { mostHits } from '../../searching/find.ts';

/** A figure that must not be lower than this. */
interface Threshold {
  readonly figure: keyof Figures;
  readonly least: number;
  readonly got: number;
  readonly passed: boolean;
}

export interface EvalOutput {
  readonly file: string;
  readonly k: number;
  readonly half: 'both' | 'words' | 'meaning';
  /** Number of skills that were searched. */
  readonly skills: number;
  /** Summary of all queries that say what is relevant. */
  readonly all: Summary;
  readonly kinds: readonly ({ readonly kind: string | null } & Summary)[];
  readonly triggers: { readonly total: number; readonly passed: number };
  readonly thresholds: readonly Threshold[];
  /** Whether every trigger test and every threshold passed. */
  readonly passed: boolean;
  /** Results, one for each line of the file. */
  readonly results: readonly LineResult[];
  readonly notes: readonly string[];
}

const percent = { min: 0, max: 100 } as const;
const thresholdOf = { minRecall: 'recall', minMrr: 'mrr', minNdcg: 'ndcg' } as const;

/** Measures how well the search finds what a file says it should. */
export const evaluate = defineOperation({
  name: 'eval',
  effect: 'reads',
  input: {
    file: text('JSON lines, each with a query and relevant, should_match or should_not_match.'),
    k: integer('Look at this many hits.', { min: 1, max: mostHits, default: 10 }),
    half: choice(['both', 'words', 'meaning'], 'Measure only one half of the search.', { default: 'both' }),
    minRecall: optional(integer('Fail if recall is lower.', percent)),
    minMrr: optional(integer('Fail if the mean reciprocal rank is lower.', percent)),
    minNdcg: optional(integer('Fail if nDCG is lower.', percent)),
  },
  async run(engine, { file, k, half, ...least }, request): Promise<EvalOutput> {
    const { lines, notes } = readEvaluation(file, engine.environment);
    const wanted = Object.entries(thresholdOf).flatMap(([name, figure]) => {
      const value = least[name as keyof typeof thresholdOf];
      return value === undefined ? [] : [{ figure, least: value }];
    });
    if (wanted.length > 0 && !lines.some(({ relevant }) => relevant !== null && relevant.length > 0)) {
      throw new SkillError('usage', `${file} names nothing relevant, so there are no figures to compare`);
    }
    const snapshot = await engine.registry.snapshot();
    const skills = snapshot.visible.length;
    if (skills === 0) {
      const hint = 'Run it where they are, or name their folder with --skill-dir PATH.';
      throw new SkillError('usage', 'there are no skills to search', { hint });
    }
    const labels = createLabels(snapshot, engine.environment);
    const measured = await measure(engine, lines, { snapshot, labels, k, signals: half }, request);
    const { results } = measured;
    const all = summaryOf(results);
    const outcomes = results.flatMap(({ triggers }) => triggers);
    const triggers = { total: outcomes.length, passed: outcomes.filter(({ passed }) => passed).length };
    const thresholds = wanted.map(({ figure, least: value }) => {
      const got = all.figures?.[figure] ?? 0;
      return { figure, least: value, got, passed: got >= value };
    });
    return {
      file,
      k,
      half,
      skills,
      all,
      kinds: summariesByKind(results),
      triggers,
      thresholds,
      passed: triggers.passed === triggers.total && thresholds.every(({ passed }) => passed),
      results,
      notes: [...notes, ...labelNotes(file, lines, labels), ...measured.notes],
    };
  },
});

/**
 * Maximum number of notes: looking for similar names takes a while, and a file with so many wrong labels belongs to
 * other skills.
 */
const mostNotes = 20;

function labelNotes(file: string, lines: readonly EvaluationLine[], { meaningOf, whyNot }: Labels): string[] {
  const lost = new Map<string, number[]>();
  for (const { line, relevant, shouldMatch, shouldNotMatch } of lines) {
    const avoided = shouldNotMatch === star ? [] : shouldNotMatch;
    for (const label of new Set([...(relevant ?? []), ...shouldMatch, ...avoided])) {
      if (meaningOf(label).size === 0) addTo(lost, label, line);
    }
  }
  const named = [...lost].slice(0, mostNotes);
  const rest = lost.size - named.length;
  const notes = named.map(([label, at]) => `${placesOf(file, at)}: '${label}' ${whyNot(label)}`);
  return rest > 0 ? [...notes, `${count(rest, 'more label is not a skill', 'more labels are not skills')}`] : notes;
}
