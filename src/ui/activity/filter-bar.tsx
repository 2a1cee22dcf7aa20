import type { ComponentChildren } from 'preact';
import { bdi } from '../parts/elements.tsx';
import { useTyped } from '../parts/hooks.ts';
import { foreignCut } from '../parts/words.ts';
import { replaceRoute, route } from '../route.ts';
import { type ActivityFilters, type Choice, filtersOf, kindWords, resultWords, spans } from './filters.ts';
import { hrefWith, hrefWithout } from './href.ts';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

const pauseMs = 250;

/** A text filter. It takes effect after a short pause. */
function TextFilter({ label, value, change }: FieldProps) {
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

/** A filter with a few values. A value from the address is offered too, even if it is none of the known ones. */
function ChoiceFilter({
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

type Name = 'what' | 'skill' | 'tool' | 'result' | 'client' | 'since';

interface Field {
  readonly label: string;
  /** The choices; any text can be typed if there are none. */
  readonly choices?: readonly Choice[];
  readonly none?: string;
}

const fields: Readonly<Record<Name, Field>> = {
  what: { label: 'What', choices: choicesOf(kindWords), none: 'anything' },
  skill: { label: 'Skill' },
  tool: { label: 'Tool' },
  result: { label: 'Result', choices: choicesOf(resultWords), none: 'any' },
  client: { label: 'Client' },
  since: { label: 'Since', choices: spans.map(({ value, text }) => ({ value, text: `${text} ago` })), none: 'ever' },
};

function choicesOf(words: Readonly<Record<string, string>>): readonly Choice[] {
  return Object.entries(words).map(([value, text]) => ({ value, text }));
}

interface FilterBarProps {
  readonly label: string;
  readonly filters: ActivityFilters;
  readonly names: readonly Name[];
  readonly children: ComponentChildren;
}

export function FilterBar({ label, filters, names, children }: FilterBarProps) {
  const isFiltered = filters.id !== '' || names.some((name) => filters[name] !== '');
  return (
    <search class="activity-filters" aria-label={label}>
      {names.map((name) => (
        <FilterField key={name} name={name} value={filters[name]} />
      ))}
      {children}
      {isFiltered && (
        <p class="activity-chosen">
          {filters.id !== '' && <>Only the execution {bdi(foreignCut(filters.id, 64), 'mono')}. </>}
          <a href={hrefWithout(filters)}>Clear the filters</a>
        </p>
      )}
    </search>
  );
}

function FilterField({ name, value }: { readonly name: Name; readonly value: string }) {
  const { label, choices, none = '' } = fields[name];
  const change = (to: string): void => replaceRoute(hrefWith(filtersOf(route.value.query), { [name]: to }));
  if (choices === undefined) return <TextFilter label={label} value={value} change={change} />;
  return <ChoiceFilter label={label} value={value} change={change} none={none} choices={choices} />;
}
