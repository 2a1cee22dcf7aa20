import type { ComponentChildren } from 'preact';
import { Scroll } from './elements.tsx';
import { foreignCut, place } from './words.ts';

interface TableProps<T> {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly T[];
  readonly columns: readonly { readonly title: string; show(row: T): ComponentChildren; readonly isNumber?: true }[];
  readonly empty: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A table in a box with a title; wide ones can be scrolled. */
export function Table<T>({ id, title, rows, columns, empty, children }: TableProps<T>) {
  return (
    <section class="card health-card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {rows.length === 0 ? (
        <p class="quiet">{empty}</p>
      ) : (
        <Scroll label={title}>
          <table class="health-table" aria-labelledby={id}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column.title} scope="col" class={column.isNumber && 'health-number'}>
                    {column.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, place) => (
                <tr key={place}>
                  {columns.map((column) => (
                    <td key={column.title} class={column.isNumber && 'health-number'}>
                      {column.show(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {children}
    </section>
  );
}

const longest = 1000;

/** A stranger's words. */
export function words(text: string) {
  return <bdi>{foreignCut(text, longest)}</bdi>;
}

/** A path, which may be broken anywhere. */
export function path(text: string) {
  return <bdi class="mono health-path">{place(text)}</bdi>;
}
