import type { ComponentChildren } from 'preact';
import { bdi, Scroll } from './elements.tsx';
import { foreignCut, place } from './words.ts';

interface Column<T> {
  readonly title: string;
  readonly show: (row: T) => ComponentChildren;
  readonly look?: 'number' | 'mono';
  /** Whether its cells are the headings of their rows. */
  readonly isHeading?: true;
  /** Whether its title is for screen readers alone. */
  readonly isUntitled?: true;
}

interface TableProps<T> {
  readonly label: string;
  readonly look?: string;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  /** The key of a row, where rows come and go; its place by default. */
  readonly keyOf?: (row: T) => string;
}

/** A table; a wide one can be scrolled. */
export function Table<T>({ label, look, rows, columns, keyOf }: TableProps<T>) {
  return (
    <Scroll label={label}>
      <table class={look} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, look: cell, isUntitled }) => (
              <th key={title} scope="col" class={cell === 'number' ? cell : undefined}>
                {isUntitled ? <span class="hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={keyOf?.(row) ?? at}>
              {columns.map(({ title, look: cell, isHeading, show }) =>
                isHeading ? (
                  <th key={title} scope="row">
                    {show(row)}
                  </th>
                ) : (
                  <td key={title} class={cell}>
                    {show(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface CardProps {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A box with a title. */
export function Card({ id, title, children }: CardProps) {
  return (
    <section class="card health-card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

interface TableCardProps<T> extends Omit<TableProps<T>, 'label' | 'look'> {
  readonly id: string;
  readonly title: string;
  readonly empty: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A table in a box with a title. */
export function TableCard<T>({ id, title, empty, children, ...table }: TableCardProps<T>) {
  return (
    <Card id={id} title={title}>
      {table.rows.length === 0 ? <p class="quiet">{empty}</p> : <Table label={title} look="health-table" {...table} />}
      {children}
    </Card>
  );
}

const longest = 1000;

/** A stranger's words. */
export function words(text: string) {
  return bdi(foreignCut(text, longest));
}

/** A path, which may be broken anywhere. */
export function path(text: string) {
  return bdi(place(text, longest), 'mono health-path');
}
