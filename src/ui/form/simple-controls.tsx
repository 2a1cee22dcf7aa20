import { foreign, foreignCut } from '../parts/foreign.ts';
import type { ChoiceField, NumberField, Simple, SwitchField, TextField } from './fields.ts';
import { marksOf } from './marks.ts';
import { type ControlProps, FieldName, Help } from './parts.tsx';

const longestChoice = 120;
const longestDefault = 40;

export function TextControl({ field, draft, onDraft, ...rest }: ControlProps<TextField>) {
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

/** A text with a keyboard for numbers: one of the browser's own would not say what was typed wrong. */
export function NumberControl({ field, draft, onDraft, ...rest }: ControlProps<NumberField>) {
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

/** What counts where nothing is said. */
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

export function ChoiceControl({ field, draft, onDraft, ...rest }: ControlProps<ChoiceField>) {
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
