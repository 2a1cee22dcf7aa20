import { durationInWords } from '../../../../core/text/quantities.ts';
import { count, oneLine } from '../../../../core/text/text.ts';
import {
  type Bucket,
  type Counted,
  statistics as operation,
  type StatisticsOutput,
} from '../../../../engine/operations/machine/activity.ts';
import { defineCommand } from '../../command.ts';
import { briefDuration, briefTime } from '../../terminal/brief.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export const stats = defineCommand({
  operation,
  spelling: { since: { value: 'TIME' } },
  about:
    'Counts what was done with skills over a period: runs and how they ended, how long they took, what was denied, ' +
    'what was loaded, and by which clients. Each column of a chart is a part of that period; the JSON output has their times.',
  examples: [
    { run: 'repertoire stats', what: 'the last seven days' },
    { run: 'repertoire stats --since 24h', what: 'the last day' },
    { run: "repertoire stats --json | jq '.denialsBySkill'", what: 'for scripts' },
  ],
  print: (output, { terminal }) => linesOf(output, terminal),
});

const charts: readonly [string, (bucket: Bucket) => number][] = [
  ['runs', ({ succeeded, failed, cancelled, denied }) => succeeded + failed + cancelled + denied],
  ['failed', ({ failed }) => failed],
  ['cancelled', ({ cancelled }) => cancelled],
  ['denied', ({ denied }) => denied],
  ['searches', ({ searched }) => searched],
  ['loads', ({ loaded }) => loaded],
];

function linesOf(output: StatisticsOutput, terminal: Terminal): string[] {
  const { since, bucketMs, buckets, durationMs } = output;
  const title = (text: string): string => terminal.style('bold', text);
  return [
    title(`Since ${briefTime(since)}`) + terminal.style('dim', `, one column = ${spanOf(bucketMs)}`),
    ...charts.map(([name, of]) => chartLine(name, buckets.map(of), terminal)),
    ...(durationMs === null ? [] : ['', title('How long runs took'), `  ${durationsOf(durationMs)}`]),
    ...listOf(
      'Skills that ran',
      output.durationBySkill,
      ({ p50, p90 }) => ` p50 ${briefDuration(p50)}, p90 ${briefDuration(p90)}`,
    ),
    ...listOf('Denied', output.denialsBySkill),
    ...listOf('Loaded', output.loadsBySkill),
    ...listOf('Clients', output.clients),
  ];

  function listOf<T extends Counted>(
    heading: string,
    counted: readonly T[],
    more: (one: T) => string = () => '',
  ): string[] {
    if (counted.length === 0) return [];
    const shown = counted
      .slice(0, mostShown)
      .map((one) => `${String(one.count).padStart(8)}  ${oneLine(one.name)}${terminal.style('dim', more(one))}`);
    const rest = counted.length - shown.length;
    return [
      '',
      title(heading),
      ...shown,
      ...(rest > 0 ? [terminal.style('dim', `          and ${rest} more (--json lists them)`)] : []),
    ];
  }
}

const mostShown = 10;

function durationsOf({ p50, p90, p99, max }: NonNullable<StatisticsOutput['durationMs']>): string {
  const parts = [
    ['half', p50],
    ['90 %', p90],
    ['99 %', p99],
    ['all', max],
  ] as const;
  return parts.map(([share, ms]) => `${share} within ${briefDuration(ms)}`).join(', ');
}

/** Formats a span of time that may be days, which are not among the units of durations. */
function spanOf(ms: number): string {
  return ms >= dayMs ? count(ms / dayMs, 'day') : durationInWords(ms);
}
const dayMs = 24 * 60 * 60 * 1000;

const heights = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

function chartLine(name: string, values: readonly number[], terminal: Terminal): string {
  const most = Math.max(...values, 1);
  const columns = values.map((value) => heights[Math.ceil((value / most) * (heights.length - 1))]).join('');
  const total = values.reduce((sum, value) => sum + value, 0);
  return `  ${name.padEnd(9)} ${String(total).padStart(6)}  ${terminal.style('cyan', columns)}`;
}
