import type { Field } from './fields.ts';
import type { ControlProps } from './parts.tsx';

/** Whether an author says anything about a field. */
export function hasHelp({ title, description, examples }: Field): boolean {
  return title !== '' || description !== '' || examples.length > 0;
}

type Marked = Pick<ControlProps, 'id' | 'presence' | 'problems'> & { readonly field: Field | null };

/** What tells those who cannot see it how a control stands. */
export function marksOf({ id, presence, problems, field }: Marked) {
  const isHelped = field !== null && presence !== 'item' && hasHelp(field);
  return {
    id,
    'aria-describedby': isHelped ? `${id}-help ${id}-wrong` : `${id}-wrong`,
    'aria-required': presence === 'required',
    'aria-invalid': problems.some((one) => one.id === id),
  } as const;
}
