import type { StatisticsOutput } from '../../engine/operations/statistics.ts';
import { durationInWords } from '../../kernel/quantities.ts';
import { grouped } from '../../kernel/text.ts';
import { BarFigure } from '../charts/bar-figure.tsx';

const percentiles = ['p50', 'p90', 'p99', 'max'] as const;

/** How long runs took, all together and by skill. */
export function Durations({ statistics }: { readonly statistics: StatisticsOutput }) {
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
        note="The dark part is p50, the whole bar p90."
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
