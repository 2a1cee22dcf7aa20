import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { foreignCut } from '../parts/words.ts';
import { shareOf } from './scale.ts';

interface FigureProps {
  readonly title: string;
  readonly note?: string;
  readonly wide?: 'wide';
  readonly children: ComponentChildren;
}

/** A chart in a box with its title. */
export function Figure({ title, note, wide, children }: FigureProps) {
  return (
    <figure class={`card charts-figure ${wide ?? ''}`} aria-label={title}>
      <figcaption>
        <h3>{title}</h3>
        {note !== undefined && <p class="quiet">{note}</p>}
      </figcaption>
      {children}
    </figure>
  );
}

/** Bars in a box, under one title for both. */
export function BarFigure({ note, ...table }: BarTableProps & { readonly note?: string }) {
  return (
    <Figure title={table.title} {...(note === undefined ? {} : { note })}>
      <BarTable {...table} />
    </Figure>
  );
}

interface BarRow {
  readonly name: string;
  readonly href?: string;
  readonly value: number;
  /** A smaller value within the bar. */
  readonly inner?: number;
  /** Texts beside the bar, one for each column. */
  readonly texts: readonly string[];
}

interface BarTableProps {
  readonly title: string;
  /** Headings of the names, then of the texts. */
  readonly columns: readonly string[];
  readonly rows: readonly BarRow[];
  /** The text shown when there are no rows. */
  readonly empty: string;
}

const few = 8;
const longestName = 80;

/** Bars below each other with their numbers: a chart that is a table, so that it needs no other words. */
function BarTable({ title, columns, rows, empty }: BarTableProps) {
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
              <th key={column} scope="col" class="number">
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
        <td key={place} class="number">
          {text}
        </td>
      ))}
    </tr>
  );
}

/** A bar whose length is its share of the largest value; of two values, the smaller is drawn within the larger. */
function Bar({ value, most, inner }: { readonly value: number; readonly most: number; readonly inner?: number }) {
  return (
    <svg class="charts-bar" aria-hidden="true" focusable="false">
      <rect class="charts-ground" width="100%" height="100%" rx="3" />
      <rect
        class={inner === undefined ? 'charts-fill' : 'charts-fill-light'}
        width={`${shareOf(value, most)}%`}
        height="100%"
        rx="3"
      />
      {inner !== undefined && <rect class="charts-fill" width={`${shareOf(inner, most)}%`} height="100%" rx="3" />}
    </svg>
  );
}
