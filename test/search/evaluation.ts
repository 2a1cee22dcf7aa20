import type { Run, World } from '../support/world.ts';

/** What `eval --json` prints, as far as tests look at it. */
export interface Evaluation {
  readonly file: string;
  readonly k: number;
  readonly half: string;
  readonly skills: number;
  readonly all: EvaluationSummary;
  readonly kinds: readonly (EvaluationSummary & { readonly kind: string | null })[];
  readonly triggers: { readonly total: number; readonly passed: number };
  readonly thresholds: readonly { figure: string; least: number; got: number; passed: boolean }[];
  readonly passed: boolean;
  readonly results: readonly EvaluationResult[];
  readonly notes: readonly string[];
}

export interface EvaluationSummary {
  readonly queries: number;
  readonly figures: Readonly<Record<'hitAt1' | 'hitAtK' | 'recall' | 'mrr' | 'ndcg', number>> | null;
  readonly offTopic: { readonly queries: number; readonly quiet: number; readonly share: number } | null;
}

export interface EvaluationResult {
  readonly line: number;
  readonly query: string;
  readonly kind: string | null;
  readonly relevant: readonly string[] | null;
  readonly judgement: {
    readonly rank: number | null;
    readonly recall: number;
    readonly ndcg: number;
    readonly missed: readonly string[];
  } | null;
  readonly triggers: readonly {
    readonly expects: string;
    readonly labels: readonly string[];
    readonly passed: boolean;
    readonly against: readonly { readonly label: string; readonly rank: number | null; readonly name?: string }[];
  }[];
  readonly hits: readonly { readonly name: string; readonly score: number; readonly weak: boolean }[];
}

export const file = 'evals.jsonl';

/** Writes the lines, text as it is and all else as JSON, and measures. */
export function evaluate(world: World, lines: readonly unknown[], args: readonly string[] = []): Promise<Run> {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  world.write(`project/${file}`, texts.map((text) => `${text}\n`).join(''));
  return world.run(['eval', file, ...args]);
}

/** The same, as programs read it. */
export async function evaluation(
  world: World,
  lines: readonly unknown[],
  args: readonly string[] = [],
): Promise<Evaluation & { readonly code: number }> {
  const run = await evaluate(world, lines, ['--json', ...args]);
  const output = run.json<Evaluation & { readonly error?: unknown }>();
  if (output.error !== undefined) throw new Error(`nothing was measured: ${run.stdout}`);
  return { ...output, code: run.code };
}
