import { count, cut, oneLine } from '../../../../core/text/text.ts';
import {
  type Figures,
  isOffTopic,
  isQuiet,
  type LineResult,
  type Summary,
} from '../../../../engine/evaluation/figures.ts';
import type { Against, EvaluationHit, TriggerOutcome } from '../../../../engine/evaluation/judge.ts';
import { type EvalOutput, evaluate as operation } from '../../../../engine/operations/machine/eval.ts';
import { defineCommand } from '../../command.ts';
import { keepIndex } from '../../keep-index.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { type Measure, measureFor } from '../../terminal/wrap.ts';

export const evaluate = defineCommand({
  operation,
  spelling: {
    file: { positional: true, value: 'FILE', completes: 'path' },
    k: { value: 'N' },
    half: { value: 'HALF' },
    minRecall: { value: 'PERCENT' },
    minMrr: { value: 'PERCENT' },
    minNdcg: { value: 'PERCENT' },
  },
  about:
    'Measures how well the search finds your own skills. Each line of the file is a JSON object: {"query": "…", ' +
    '"relevant": ["name"]} counts towards recall, MRR and nDCG, in groups if it has a "kind"; an empty list says that ' +
    'no skill is relevant. {"query": "…", "should_match": ["name"]} and "should_not_match" ("*" for any skill) are ' +
    'tests of which skills a prompt triggers. A skill is named by its name, provider:name, folder, or path. Exit code 1: a ' +
    'test failed, or a figure is below its minimum.',
  examples: [
    { run: 'repertoire eval evals.jsonl', what: 'figures, and the queries with the worst results' },
    { run: 'repertoire eval evals.jsonl --min-ndcg 70 --min-recall 85', what: 'fail in CI when the figures drop' },
    { run: 'repertoire eval triggers.jsonl --k 3 --skill-dir skills', what: 'the first three hits, of one folder' },
    { run: 'repertoire eval evals.jsonl --half words', what: 'what words alone would find' },
    { run: "repertoire eval evals.jsonl --json | jq '.all.figures'", what: 'for scripts' },
  ],
  printOptions: {
    show: {
      kind: 'integer',
      min: 0,
      max: 100_000,
      default: 5,
      value: 'N',
      description: 'Show this many of the queries with the worst results.',
    },
  },
  async print(output, { terminal, input }) {
    for (const note of output.notes) terminal.note(`note: ${oneLine(note)}\n`);
    return [
      headOf(output),
      ...(await tableOf(output)),
      ...worstLines(output, input.show, terminal),
      ...triggerLines(output, terminal),
      ...thresholdLines(output, terminal),
    ];
  },
  succeeded: ({ passed }) => passed,
  finish: keepIndex,
});

const signalNames: Readonly<Record<EvalOutput['half'], string>> = {
  both: 'words and meaning',
  words: 'words alone',
  meaning: 'meaning alone',
};

function headOf({ file, results, skills, half }: EvalOutput): string {
  return `${oneLine(file)}: ${count(results.length, 'query', 'queries')}, ${count(skills, 'skill')}, by ${signalNames[half]}`;
}

function titles(k: number): Readonly<Record<keyof Figures, string>> {
  return { hitAt1: 'hit@1', hitAtK: `hit@${k}`, recall: `recall@${k}`, mrr: 'MRR', ndcg: `nDCG@${k}` };
}

/** Formats the table: one row for each kind, and one for all. */
async function tableOf({ k, kinds, all }: EvalOutput): Promise<string[]> {
  const rows = kinds
    .filter(({ figures }) => figures !== null)
    .map(({ kind, ...summary }) => ({ name: cut(kind ?? '(no kind)', 30), ...summary }));
  const columns = Object.entries(titles(k)) as [keyof Figures, string][];
  const measure = await measureFor(rows.map(({ name }) => name));
  const width = Math.max(...[...rows.map(({ name }) => name), 'all'].map(measure));
  const row = (name: string, { queries, figures }: Summary): string => {
    const cells = columns.map(([key, title]) => (figures?.[key] ?? 0).toFixed(1).padStart(widthOf(title)));
    return `  ${padded(name, width, measure)}  ${[String(queries).padStart(7), ...cells].join('  ')}`;
  };
  const head = `  ${' '.repeat(width)}  ${['queries', ...columns.map(([, title]) => title.padStart(widthOf(title)))].join('  ')}`;
  const table = all.figures === null ? [] : ['', head, ...rows.map((one) => row(one.name, one)), row('all', all)];
  const { offTopic } = all;
  if (offTopic === null) return table;
  const of = count(offTopic.queries, 'query', 'queries');
  return [...table, '', `Off topic: ${offTopic.quiet} of ${of} found nothing, or only weak hits.`];
}

function widthOf(title: string): number {
  return Math.max(title.length, 5);
}

function padded(text: string, width: number, measure: Measure): string {
  return text + ' '.repeat(width - measure(text));
}

/** Lists the queries with less than perfect results, worst first, including off-topic ones with a strong hit. */
function worstLines({ file, results }: EvalOutput, most: number, terminal: Terminal): string[] {
  const worth = (result: LineResult): number =>
    result.judgement?.ndcg ?? (isOffTopic(result) && !isQuiet(result) ? 0 : 1);
  const bad = results.filter((result) => worth(result) < 1);
  if (bad.length === 0 || most === 0) return [];
  const worst = [...bad].sort((a, b) => worth(a) - worth(b)).slice(0, most);
  return [
    '',
    terminal.style('bold', `Worst ${worst.length} of ${count(bad.length, 'query', 'queries')} that could be better`),
    ...worst.flatMap((result) => [
      queryLine(file, result, terminal),
      `      wanted  ${wanted(result, terminal)}`,
      `      got     ${came(result.hits)}`,
    ]),
  ];
}

function queryLine(file: string, { line, query }: LineResult, terminal: Terminal): string {
  const place = `${oneLine(file)}:${line}`;
  const room = Math.max(20, terminal.columns - place.length - 4);
  return `  ${terminal.style('dim', place)}  ${terminal.style('cyan', cut(query, room))}`;
}

function wanted({ relevant, judgement }: LineResult, terminal: Terminal): string {
  if (judgement === null) return 'nothing, or only weak hits';
  const names = (relevant ?? []).map((label) => {
    const isMissed = judgement.missed.includes(label);
    return isMissed ? terminal.style('red', `${oneLine(label)} (not found)`) : oneLine(label);
  });
  return `${names.join(', ')}${judgement.rank === null ? '' : `; first at rank ${judgement.rank}`}`;
}

const fewHits = 3;

function came(hits: readonly EvaluationHit[]): string {
  if (hits.length === 0) return 'nothing';
  return `${hits.slice(0, fewHits).map(hitText).join(', ')}${hits.length > fewHits ? ', …' : ''}`;
}

function hitText({ name, score, weak }: EvaluationHit): string {
  return `${oneLine(name)} ${score.toFixed(2)}${weak ? ' weak' : ''}`;
}

function triggerLines({ file, results, triggers }: EvalOutput, terminal: Terminal): string[] {
  if (triggers.total === 0) return [];
  const failed = results.flatMap((result) =>
    result.triggers.filter(({ passed }) => !passed).map((outcome) => ({ result, outcome })),
  );
  return [
    '',
    `${verdictOn({ passed: failed.length === 0 }, terminal)}  triggers: ${triggers.passed} of ${triggers.total} as expected`,
    ...failed.flatMap(({ result, outcome }) => [
      queryLine(file, result, terminal),
      ...outcome.against.map((against) => `      ${complaints[outcome.expects](against)}`),
      ...(outcome.expects === 'match' ? [`      got     ${came(result.hits)}`] : []),
    ]),
  ];
}

const complaints: Readonly<Record<TriggerOutcome['expects'], (against: Against) => string>> = {
  match: ({ label, rank, score = 0 }) =>
    `should match ${oneLine(label)}, ${rank === null ? 'which was not found' : `which is weak: rank ${rank} with ${score.toFixed(2)}`}`,
  'no-match': ({ label, rank, name = '', score = 0 }) => {
    const what = label === '*' ? 'anything' : oneLine(label);
    return `should not match ${what}, but ${oneLine(name)} is at rank ${rank} with ${score.toFixed(2)}`;
  },
};

function thresholdLines({ thresholds, k }: EvalOutput, terminal: Terminal): string[] {
  if (thresholds.length === 0) return [];
  const lines = thresholds.map(({ figure, least, got, passed }) => {
    const text = `${titles(k)[figure]} is ${got}`;
    return `${verdictOn({ passed }, terminal)}  ${text}, ${passed ? `at least ${least}` : `lower than ${least}`}`;
  });
  return ['', ...lines];
}

function verdictOn({ passed }: { readonly passed: boolean }, terminal: Terminal): string {
  return passed ? terminal.style('green', 'passed') : terminal.style('red', 'failed');
}
