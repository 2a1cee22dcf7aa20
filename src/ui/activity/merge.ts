import type { AuditRow } from '../../engine/operations/audit.ts';
import type { ActivityFilters } from './filters.ts';

type Wanted = Pick<ActivityFilters, 'skill' | 'tool' | 'result' | 'id'>;

/**
 * Executions that were asked for, with what was told of since, the newest first. One that ends stays where it was: its
 * place is that of the first record which is known of it.
 */
export function mergeRows(asked: readonly AuditRow[], told: readonly AuditRow[], wanted: Wanted): readonly AuditRow[] {
  const known = new Map<string, { readonly row: AuditRow; readonly place: number }>();
  for (const row of [...asked, ...told]) {
    const before = known.get(row.id);
    const place = Math.min(row.seq, before?.place ?? row.seq);
    known.set(row.id, { row: before?.row.event === 'end' ? before.row : row, place });
  }
  return [...known.values()]
    .filter(({ row }) => isWanted(row, wanted))
    .sort((one, other) => other.place - one.place)
    .map(({ row }) => row);
}

/** As the server would say. */
function isWanted(row: AuditRow, { skill, tool, result, id }: Wanted): boolean {
  return (
    isNamed(row.skill, skill) &&
    (tool === '' || row.tool === tool) &&
    (result === '' || row.result === result) &&
    (id === '' || row.id === id)
  );
}

function isNamed(full: string, name: string): boolean {
  return name === '' || full === name || full.endsWith(`:${name}`) || full.endsWith(`/${name}`);
}
