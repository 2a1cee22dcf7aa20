import { durationInWords } from '../../core/text/quantities.ts';
import { counted, grouped } from '../../core/text/text.ts';
import type { Bucket, StatisticsOutput } from '../../engine/operations/machine/activity.ts';
import { ask } from '../api.ts';
import { BarFigure, Figure } from '../charts/bars.tsx';
import { Columns, Legend, type Series } from '../charts/columns.tsx';
import { axisLabels, bucketLabel, sumOf } from '../charts/scale.ts';
import { revisions } from '../live.ts';
import { Ready } from '../parts/elements.tsx';
import { useCalm, useLoaded, useTick } from '../parts/hooks.ts';
import { Table } from '../parts/table.tsx';
import { type ActivityFilters, spanOf, spans } from './filters.ts';
import { hrefWith, hrefWithout } from './href.ts';

const percentiles = ['p50', 'p90', 'p99', 'max'] as const;

/** Durations of runs, all together and by skill. */
function Durations({ statistics }: { readonly statistics: StatisticsOutput }) {
  const { durationMs, durationBySkill } = statistics;
  const all = durationMs === null ? [] : percentiles.map((name) => ({ name, value: durationMs[name] }));
  return (
    <>
      <BarFigure
        title="Duration of runs"
        note="p90: 90 of 100 runs took no longer than this."
        columns={['Percentile', 'Time']}
        rows={all.map(({ name, value }) => ({ name, value, texts: [durationInWords(value)] }))}
        empty="No run has ended in this time."
      />
      <BarFigure
        title="Duration by skill"
        note="The inner part is p50, the whole bar p90."
        columns={['Skill', 'Runs', 'p50', 'p90']}
        rows={durationBySkill.map(({ name, count, p50, p90 }) => ({
          name,
          value: p90,
          inner: p50,
          texts: [grouped(count), durationInWords(p50), durationInWords(p90)],
        }))}
        empty="No run has ended in this time."
      />
    </>
  );
}

const pauseMs = 2000;
/** Interval of redrawing: time goes on even if nothing happens. */
const everyMs = 60_000;

/** Charts of the number of runs, their durations, and denials. */
export function Charts({ filters }: { readonly filters: ActivityFilters }) {
  const { value: since, text } = spanOf(filters);
  const news = useCalm(revisions.execution.value + revisions.activity.value, pauseMs);
  const loaded = useLoaded((signal) => ask('statistics', { since }, signal), [since, news, useTick(everyMs)]);
  return (
    <section aria-labelledby="activity-figures">
      <div class="row activity-head">
        <h2 id="activity-figures">The last {text.replace(/^1 /, '')}</h2>
        <nav aria-label="Span of the charts" class="activity-spans">
          {spans.map((span) => (
            <a
              key={span.value}
              href={hrefWith(filters, { span: span.value })}
              aria-current={span.value === since ? 'true' : undefined}
            >
              {span.text}
            </a>
          ))}
        </nav>
      </div>
      <Ready loaded={loaded}>{(statistics) => <Shown statistics={statistics} filters={filters} />}</Ready>
    </section>
  );
}

interface ShownProps {
  readonly statistics: StatisticsOutput;
  readonly filters: ActivityFilters;
}

function Shown({ statistics, filters }: ShownProps) {
  const { denialsBySkill, loadsBySkill, clients } = statistics;
  return (
    <div class="charts">
      <RunsOverTime statistics={statistics} />
      <Durations statistics={statistics} />
      <BarFigure
        title="Denials by skill"
        columns={['Skill', 'Denials']}
        rows={rowsOf(denialsBySkill, (skill) => hrefWithout(filters, { view: 'runs', skill, result: 'denied' }))}
        empty="Nothing was denied."
      />
      <BarFigure
        title="Most loaded skills"
        columns={['Skill', 'Loads']}
        rows={rowsOf(loadsBySkill, (skill) => hrefWithout(filters, { view: 'all', skill, what: 'loaded' }))}
        empty="No skill was loaded."
      />
      <BarFigure
        title="Clients"
        columns={['Client', 'Times']}
        rows={rowsOf(clients, (client) => hrefWithout(filters, { view: 'all', client }))}
        empty="No client did anything."
      />
    </div>
  );
}

function rowsOf(counts: StatisticsOutput['clients'], href: (name: string) => string) {
  return counts.map(({ name, count }) => ({
    name,
    href: href(name),
    value: count,
    texts: [grouped(count)],
  }));
}

type Counts = Exclude<keyof Bucket, 'from'>;

const series = [
  { name: 'succeeded', look: 'good' },
  { name: 'failed', look: 'warn' },
  { name: 'cancelled', look: 'plain' },
  { name: 'denied', look: 'bad' },
] as const satisfies readonly (Series & { readonly name: Counts })[];

const columns: readonly { readonly name: Counts; readonly title: string }[] = [
  { name: 'succeeded', title: 'Succeeded' },
  { name: 'failed', title: 'Failed' },
  { name: 'cancelled', title: 'Cancelled' },
  { name: 'denied', title: 'Denied' },
  { name: 'searched', title: 'Searched' },
  { name: 'loaded', title: 'Loaded' },
];

/** Runs over time: how many succeeded, failed, were cancelled and were denied. */
function RunsOverTime({ statistics: { buckets, bucketMs } }: { readonly statistics: StatisticsOutput }) {
  const totals = series.map(({ name }) => totalOf(buckets, name));
  const summary = series.map(({ name }, place) => `${totals[place] ?? 0} ${name}`).join(', ');
  const froms = buckets.map(({ from }) => from);
  const also = `${counted(totalOf(buckets, 'searched'), 'search', 'searches')}, ${counted(totalOf(buckets, 'loaded'), 'load')}`;
  return (
    <Figure title="Runs over time" wide="wide">
      <div class="row activity-totals">
        <Legend series={series} counts={totals} />
        <span class="quiet">{also}</span>
      </div>
      <Columns
        label={`Runs over time: ${counted(sumOf(totals), 'run')}, ${summary}`}
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

/** The chart as a table of numbers; empty buckets are left out. */
function AsTable({ buckets, bucketMs }: Pick<StatisticsOutput, 'buckets' | 'bucketMs'>) {
  const busy = buckets.filter((bucket) => columns.some(({ name }) => bucket[name] > 0)).toReversed();
  if (busy.length === 0) return <p class="quiet">Nothing happened in this time.</p>;
  return (
    <details class="charts-table">
      <summary>As a table</summary>
      <Table
        label="Runs over time, as a table"
        rows={busy}
        columns={[
          { title: 'Time', show: ({ from }) => bucketLabel(from, bucketMs), isHeading: true },
          ...columns.map(({ name, title }) => ({
            title,
            show: (bucket: Bucket) => grouped(bucket[name]),
            look: 'number' as const,
          })),
        ]}
      />
    </details>
  );
}
