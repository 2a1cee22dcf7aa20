import type { Bucket, StatisticsOutput } from '../../engine/operations/statistics.ts';
import { counted, grouped } from '../../kernel/text.ts';
import { Columns, Legend, type Series } from '../charts/columns.tsx';
import { Figure } from '../charts/figure.tsx';
import { sumOf } from '../charts/stacks.ts';
import { axisLabels, bucketLabel } from '../charts/times.ts';
import { Scroll } from '../parts/scroll.tsx';

type Counts = Exclude<keyof Bucket, 'from'>;

const series = [
  { name: 'succeeded', look: 'good' },
  { name: 'failed', look: 'warn' },
  { name: 'denied', look: 'bad' },
] as const satisfies readonly (Series & { readonly name: Counts })[];

const columns: readonly { readonly name: Counts; readonly title: string }[] = [
  { name: 'succeeded', title: 'Succeeded' },
  { name: 'failed', title: 'Failed' },
  { name: 'denied', title: 'Denied' },
  { name: 'searched', title: 'Searched' },
  { name: 'loaded', title: 'Loaded' },
];

/** Runs in their time: how many succeeded, failed and were denied. */
export function RunsOverTime({ statistics: { buckets, bucketMs } }: { readonly statistics: StatisticsOutput }) {
  const totals = series.map(({ name }) => totalOf(buckets, name));
  const told = series.map(({ name }, place) => `${totals[place] ?? 0} ${name}`).join(', ');
  const froms = buckets.map(({ from }) => from);
  const also = `${counted(totalOf(buckets, 'searched'), 'search', 'searches')}, ${counted(totalOf(buckets, 'loaded'), 'load')}`;
  return (
    <Figure title="Runs over time" wide="wide">
      <div class="row activity-totals">
        <Legend series={series} counts={totals} />
        <span class="quiet">{also}</span>
      </div>
      <Columns
        label={`Runs over time: ${counted(sumOf(totals), 'run')}, ${told}`}
        series={series}
        columns={buckets.map((bucket) => ({
          label: bucketLabel(bucket.from, bucketMs),
          values: series.map(({ name }) => bucket[name]),
        }))}
        axis={axisLabels(froms, bucketMs)}
      />
      <AsTable buckets={buckets} bucketMs={bucketMs} />
    </Figure>
  );
}

function totalOf(buckets: readonly Bucket[], name: Counts): number {
  return sumOf(buckets.map((bucket) => bucket[name]));
}

/** The same in numbers; times in which nothing happened are left out. */
function AsTable({ buckets, bucketMs }: Pick<StatisticsOutput, 'buckets' | 'bucketMs'>) {
  const busy = buckets.filter((bucket) => columns.some(({ name }) => bucket[name] > 0)).toReversed();
  if (busy.length === 0) return <p class="quiet">Nothing happened in this time.</p>;
  return (
    <details class="charts-table">
      <summary>As a table</summary>
      <Scroll label="Runs over time, as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">Time</th>
              {columns.map(({ title }) => (
                <th key={title} scope="col" class="charts-number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {busy.map((bucket) => (
              <tr key={bucket.from}>
                <th scope="row">{bucketLabel(bucket.from, bucketMs)}</th>
                {columns.map(({ name }) => (
                  <td key={name} class="charts-number">
                    {grouped(bucket[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
}
