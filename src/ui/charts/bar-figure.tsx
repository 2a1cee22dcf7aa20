import { BarTable, type BarTableProps } from './bar-table.tsx';
import { Figure } from './figure.tsx';

/** Bars in a box, under one title for both. */
export function BarFigure({ note, ...table }: BarTableProps & { readonly note?: string }) {
  return (
    <Figure title={table.title} {...(note === undefined ? {} : { note })}>
      <BarTable {...table} />
    </Figure>
  );
}
