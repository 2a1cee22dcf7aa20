import { bdi } from '../parts/elements.tsx';
import { foreign, foreignCut } from '../parts/words.ts';
import { type FormProblem, marksOf } from './checks.ts';
import type {
  ChoiceField,
  Draft,
  Field,
  JsonField,
  NumberField,
  Presence,
  Simple,
  SwitchField,
  TextField,
} from './drafts.ts';

/** Properties of every control. */
export interface ControlProps<F extends Field = Field> {
  readonly field: F;
  readonly draft: Draft;
  readonly presence: Presence;
  readonly id: string;
  /** The name of the field, as people see it. */
  readonly name: string;
  readonly problems: readonly FormProblem[];
  readonly onDraft: (draft: Draft) => void;
}

const longestName = 100;
const longestHelp = 1000;

export function FieldName({ name, presence }: Pick<ControlProps, 'name' | 'presence'>) {
  return (
    <>
      {bdi(foreignCut(name, longestName), 'mono form-name')}{' '}
      {presence === 'required' && <span class="form-required">required</span>}
    </>
  );
}

/** The author's text about a field. */
export function Help({ field, id }: { readonly field: Field; readonly id: string }) {
  const { title, description, examples } = field;
  const said = [title, description].filter((text) => text !== '').join(': ');
  const such = examples.map((example) => (typeof example === 'string' ? example : JSON.stringify(example)));
  if (said === '' && such.length === 0) return null;
  return (
    <p class="form-help quiet" id={`${id}-help`}>
      {bdi(foreignCut(said, longestHelp))}
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

const longestChoice = 120;
const longestDefault = 40;

function TextControl({ field, draft, onDraft, ...rest }: ControlProps<TextField>) {
  const shared = {
    ...marksOf({ field, ...rest }),
    value: String(draft),
    placeholder: leftOut(field),
    spellcheck: false,
    autocomplete: 'off',
  } as const;
  if (field.isLong) {
    return <textarea {...shared} class="mono" rows={6} onInput={(event) => onDraft(event.currentTarget.value)} />;
  }
  return <input {...shared} type="text" onInput={(event) => onDraft(event.currentTarget.value)} />;
}

/** A text input with a keyboard for numbers: the browser's own number input would not say what was typed wrong. */
function NumberControl({ field, draft, onDraft, ...rest }: ControlProps<NumberField>) {
  return (
    <div class="row">
      <input
        {...marksOf({ field, ...rest })}
        class="form-number"
        type="text"
        inputMode={field.isWhole ? 'numeric' : 'decimal'}
        autocomplete="off"
        placeholder={leftOut(field)}
        value={String(draft)}
        onInput={(event) => onDraft(event.currentTarget.value)}
      />
      <span class="quiet">{rangeOf(field)}</span>
    </div>
  );
}

/** The value that counts where nothing is given. */
function leftOut({ fallback }: Simple): string {
  if (fallback === undefined || fallback === '') return '';
  const text = typeof fallback === 'string' ? fallback : JSON.stringify(fallback);
  return `if left out: ${foreignCut(text, longestDefault)}`;
}

function rangeOf({ min, max }: NumberField): string {
  if (min !== null && max !== null) return `${min} to ${max}`;
  if (min !== null) return `${min} or more`;
  return max === null ? '' : `${max} at most`;
}

function ChoiceControl({ field, draft, onDraft, ...rest }: ControlProps<ChoiceField>) {
  return (
    <select
      {...marksOf({ field, ...rest })}
      value={String(draft)}
      onChange={(event) => onDraft(event.currentTarget.value)}
    >
      <option value="">{rest.presence === 'optional' ? `(${leftOut(field) || 'left out'})` : '(choose one)'}</option>
      {field.choices.map((choice, place) => (
        <option key={place} value={String(place)}>
          {foreignCut(typeof choice === 'string' ? choice : JSON.stringify(choice), longestChoice)}
        </option>
      ))}
    </select>
  );
}

export function SwitchControl({ field, draft, onDraft, name, ...rest }: ControlProps<SwitchField>) {
  const box = (
    <input
      {...marksOf({ field, ...rest })}
      type="checkbox"
      aria-label={rest.presence === 'item' ? foreign(name) : undefined}
      checked={draft === '' ? field.fallback === true : draft === 'yes'}
      onChange={(event) => onDraft(event.currentTarget.checked ? 'yes' : 'no')}
    />
  );
  if (rest.presence === 'item') return box;
  return (
    <div class="form-field">
      <label class="form-switch" for={rest.id}>
        {box} <FieldName name={name} presence="optional" />
      </label>
      <Help field={field} id={rest.id} />
    </div>
  );
}

/** The control alone, as it also stands in a list. */
export function BareControl(props: ControlProps<Simple | JsonField>) {
  const { field } = props;
  switch (field.kind) {
    case 'text':
      return <TextControl {...props} field={field} />;
    case 'number':
      return <NumberControl {...props} field={field} />;
    case 'choice':
      return <ChoiceControl {...props} field={field} />;
    case 'switch':
      return <SwitchControl {...props} field={field} />;
    case 'json':
      return <JsonControl {...props} field={field} />;
  }
}

/** A text area for JSON as it is written. */
function JsonControl({ draft, onDraft, ...rest }: ControlProps) {
  return (
    <>
      <p class="form-help quiet">Write it as JSON.</p>
      <textarea
        {...marksOf(rest)}
        class="mono"
        rows={4}
        spellcheck={false}
        autocomplete="off"
        value={String(draft)}
        onInput={(event) => onDraft(event.currentTarget.value)}
      />
    </>
  );
}
