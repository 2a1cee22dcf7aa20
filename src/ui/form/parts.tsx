import { foreignCut } from '../parts/foreign.ts';
import type { FormProblem } from './checks.ts';
import type { Draft, Field, Presence } from './fields.ts';

/** What every control is given. */
export interface ControlProps<F extends Field = Field> {
  readonly field: F;
  readonly draft: Draft;
  readonly presence: Presence;
  readonly id: string;
  /** Its name, as people see it. */
  readonly name: string;
  readonly problems: readonly FormProblem[];
  readonly onDraft: (draft: Draft) => void;
}

const longestName = 100;
const longestHelp = 1000;

export function FieldName({ name, presence }: Pick<ControlProps, 'name' | 'presence'>) {
  return (
    <>
      <bdi class="mono form-name">{foreignCut(name, longestName)}</bdi>{' '}
      {presence === 'required' && <span class="form-required">required</span>}
    </>
  );
}

/** What the author says about it. */
export function Help({ field, id }: { readonly field: Field; readonly id: string }) {
  const { title, description, examples } = field;
  const said = [title, description].filter((text) => text !== '').join(': ');
  const such = examples.map((example) => (typeof example === 'string' ? example : JSON.stringify(example)));
  if (said === '' && such.length === 0) return null;
  return (
    <p class="form-help quiet" id={`${id}-help`}>
      <bdi>{foreignCut(said, longestHelp)}</bdi>
      {such.length > 0 && ' For example: '}
      {such.map((text, place) => (
        <code key={place}>{foreignCut(text, longestName)} </code>
      ))}
    </p>
  );
}

export function Wrong({ id, problems }: Pick<ControlProps, 'id' | 'problems'>) {
  const found = problems.find((one) => one.id === id);
  return (
    <p class="form-wrong" id={`${id}-wrong`} aria-live="polite">
      {found && foreignCut(found.message, longestHelp)}
    </p>
  );
}
