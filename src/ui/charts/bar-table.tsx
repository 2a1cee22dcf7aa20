import { useState } from 'preact/hooks';
import { foreignCut } from '../parts/foreign.ts';
import { Bar } from './bar.tsx';

export interface BarRow {
  readonly name: string;
  readonly href?: string;
  readonly value: number;
  /** A smaller value within it. */
  readonly inner?: number;
  /** What is written beside the bar, a text for each column. */
  readonly texts: readonly string[];
}

export interface BarTableProps {
  readonly title: string;
  /** Of the names, then of the texts. */
  readonly columns: readonly string[];
  readonly rows: readonly BarRow[];
  /** What it means that there is nothing. */
  readonly empty: string;
}

const few = 8;
const longestName = 80;

/** Bars below each other with their numbers: a chart that is a table, so that it needs no other words. */
export function BarTable({ title, columns, rows, empty }: BarTableProps) {
  const [showsAll, setShowsAll] = useState(false);
  if (rows.length === 0) return <p class="quiet">{empty}</p>;
  const most = Math.max(...rows.map(({ value }) => value));
  const [first = '', ...others] = columns;
  return (
    <>
      <table class="charts-bars" aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {others.map((column) => (
              <th key={column} scope="col" class="charts-number">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(showsAll ? rows : rows.slice(0, few)).map((row) => (
            <OneBar key={row.name} row={row} most={most} />
          ))}
        </tbody>
      </table>
      {!showsAll && rows.length > few && (
        <button type="button" onClick={() => setShowsAll(true)}>
          Show all {rows.length} <span class="hidden">of {title}</span>
        </button>
      )}
    </>
  );
}

function OneBar({ row, most }: { readonly row: BarRow; readonly most: number }) {
  const { name, href, value, inner, texts } = row;
  const label = <bdi>{foreignCut(name, longestName)}</bdi>;
  return (
    <tr>
      <th scope="row">
        {href === undefined ? label : <a href={href}>{label}</a>}
        <Bar value={value} most={most} {...(inner === undefined ? {} : { inner })} />
      </th>
      {texts.map((text, place) => (
        <td key={place} class="charts-number">
          {text}
        </td>
      ))}
    </tr>
  );
}
