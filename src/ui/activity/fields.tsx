import { useTyped } from '../parts/typed.ts';
import type { Choice } from './filters.ts';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

const pauseMs = 250;

/** A filter that is typed. It takes effect after a short pause. */
export function TextFilter({ label, value, change }: FieldProps) {
  const { text, setText } = useTyped(value, change, pauseMs);
  return (
    <label>
      {label}
      <input
        type="search"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </label>
  );
}

/** A filter with a few values. One that came with the address is offered too, even if nobody here thought of it. */
export function ChoiceFilter({
  label,
  value,
  change,
  none,
  choices,
}: FieldProps & { readonly none: string; readonly choices: readonly Choice[] }) {
  const all = [{ value: '', text: none }, ...choices];
  const offered = all.some((choice) => choice.value === value) ? all : [...all, { value, text: value }];
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        {offered.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.text}
          </option>
        ))}
      </select>
    </label>
  );
}
