import { useState } from 'preact/hooks';
import { grouped } from '../../core/text/text.ts';
import { type AxisLabel, columnOf, shortNumber, stackOf, sumOf, ticksUpTo } from './scale.ts';

export interface Series {
  readonly name: string;
  /** Colour and pattern: neither carries the meaning alone. */
  readonly look: 'good' | 'warn' | 'bad' | 'plain';
}

export interface Column {
  readonly label: string;
  /** Values in the order of the series. */
  readonly values: readonly number[];
}

interface ColumnsProps {
  /** The subject of the chart and its content, in a sentence. */
  readonly label: string;
  readonly series: readonly Series[];
  readonly columns: readonly Column[];
  readonly axis: readonly AxisLabel[];
}

const height = 140;

/** Values over time, on top of each other. Widths are percentages, so that it fits any room without being measured. */
export function Columns({ label, series, columns, axis }: ColumnsProps) {
  const ticks = ticksUpTo(Math.max(0, ...columns.map(({ values }) => sumOf(values))));
  const top = ticks.at(-1) ?? 1;
  const [at, setAt] = useState<number | null>(null);
  const pointed = at === null ? undefined : columns[at];
  return (
    <div class="charts-columns" role="img" aria-label={label} onPointerLeave={() => setAt(null)}>
      <svg class="charts-scale" height={height + 16} aria-hidden="true">
        {ticks.map((tick) => (
          <text key={tick} x="100%" y={yOf(tick, top) + 12} text-anchor="end">
            {shortNumber(tick)}
          </text>
        ))}
      </svg>
      <svg class="charts-plot" height={height + 32} aria-hidden="true">
        <Patterns />
        {ticks.map((tick) => (
          <line key={tick} class="charts-line" x1="0" x2="100%" y1={yOf(tick, top) + 8} y2={yOf(tick, top) + 8} />
        ))}
        {columns.map((column, place) => (
          <OneColumn
            key={column.label}
            {...{ column, place, series, top, count: columns.length }}
            point={() => setAt(place)}
          />
        ))}
        {axis.map(({ at, text, rank }) => (
          <text
            key={at}
            class={`charts-rank-${rank}`}
            x={`${((at + 0.5) * 100) / columns.length}%`}
            y={height + 28}
            text-anchor={anchorOf(at, columns.length)}
          >
            {text}
          </text>
        ))}
      </svg>
      {pointed !== undefined && at !== null && (
        <Tip column={pointed} series={series} share={(at + 0.5) / columns.length} />
      )}
    </div>
  );
}

interface TipProps {
  readonly column: Column;
  readonly series: readonly Series[];
  /** The place of the column in the chart, from 0 to 1. */
  readonly share: number;
}

/** The numbers of the column that is pointed at. */
function Tip({ column: { label, values }, series, share }: TipProps) {
  const side = share > 0.5 ? { right: `${(1 - share) * 100}%` } : { left: `calc(2.7rem + ${share * 90}%)` };
  return (
    <div class="charts-tip" style={side}>
      <strong>{label}</strong>
      {series.map(({ name, look }, place) => (
        <span key={name}>
          <svg width="10" height="10" aria-hidden="true">
            <rect class={`charts-${look}`} width="10" height="10" rx="2" />
          </svg>{' '}
          {grouped(values[place] ?? 0)} {name}
        </span>
      ))}
    </div>
  );
}

function yOf(value: number, top: number): number {
  return height - (value / top) * height;
}

/** The anchor of a label: those at the edges begin or end there, so that nothing of them is cut off. */
function anchorOf(at: number, count: number): 'start' | 'middle' | 'end' {
  if (count < 6) return 'middle';
  if (at < count * 0.04) return 'start';
  return at > count * 0.96 - 1 ? 'end' : 'middle';
}

interface OneColumnProps {
  readonly column: Column;
  readonly place: number;
  readonly series: readonly Series[];
  readonly top: number;
  readonly count: number;
  readonly point: () => void;
}

function OneColumn({ column: { values }, place, series, top, count, point }: OneColumnProps) {
  const { x, width } = columnOf(place, count);
  return (
    <g class="charts-column" onPointerEnter={point} onPointerDown={point}>
      <rect class="charts-hover" x={`${(place * 100) / count}%`} width={`${100 / count}%`} y="8" height={height} />
      {stackOf(values, top, height).map((piece, index) => (
        <rect
          key={series[index]?.name}
          class={`charts-${series[index]?.look}`}
          x={`${x}%`}
          width={`${width}%`}
          y={piece.y + 8}
          height={piece.height}
        />
      ))}
    </g>
  );
}

/** Stripes one way for what failed, and the other way for what was denied. */
function Patterns() {
  return (
    <defs>
      <pattern id="charts-warn" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="charts-warn-ground" width="6" height="6" />
        <rect class="charts-warn-ink" width="3" height="6" />
      </pattern>
      <pattern id="charts-bad" width="5" height="5" patternUnits="userSpaceOnUse">
        <rect class="charts-bad-ground" width="5" height="5" />
        <rect class="charts-bad-ink" width="5" height="3" />
      </pattern>
    </defs>
  );
}

/** The legend of the series. */
export function Legend({ series, counts }: { readonly series: readonly Series[]; readonly counts: readonly number[] }) {
  return (
    <ul class="charts-legend">
      {series.map(({ name, look }, place) => (
        <li key={name}>
          <svg width="14" height="14" aria-hidden="true">
            <rect class={`charts-${look}`} width="14" height="14" rx="3" />
          </svg>
          {grouped(counts[place] ?? 0)} {name}
        </li>
      ))}
    </ul>
  );
}
