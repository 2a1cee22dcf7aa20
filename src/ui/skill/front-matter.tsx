import type { ComponentChildren } from 'preact';
import { foreignCut } from '../parts/words.ts';

/** Bounds of what is shown of a value: characters, entries, levels. */
const [longest, mostEntries, deepest] = [4000, 100, 4];

/** Fields of the front matter, each with its value: lists as lists, and maps as fields within the field. */
export function Fields({
  fields,
  label,
}: {
  readonly fields: readonly (readonly [string, unknown])[];
  readonly label: string;
}) {
  return (
    <dl class="skill-fields" aria-label={label}>
      {fields.map(([key, value]) => (
        <div key={key}>
          <dt>
            <bdi>{foreignCut(key, longest)}</bdi>
          </dt>
          <dd>{shown(value, 1)}</dd>
        </div>
      ))}
    </dl>
  );
}

function shown(value: unknown, depth: number): ComponentChildren {
  if (typeof value !== 'object' || value === null) return <bdi>{foreignCut(String(value), longest)}</bdi>;
  if (depth > deepest) return <bdi>{foreignCut(JSON.stringify(value), longest)}</bdi>;
  if (Array.isArray(value)) return listed(value, depth);
  const entries = Object.entries(value);
  return (
    <dl class="skill-inner">
      {entries.slice(0, mostEntries).map(([key, one]) => (
        <div key={key}>
          <dt>
            <bdi>{foreignCut(key, longest)}</bdi>
          </dt>
          <dd>{shown(one, depth + 1)}</dd>
        </div>
      ))}
      {entries.length > mostEntries && <div>…</div>}
    </dl>
  );
}

function listed(values: readonly unknown[], depth: number): ComponentChildren {
  if (values.every((one) => typeof one !== 'object')) return <bdi>{foreignCut(values.join(', '), longest)}</bdi>;
  return (
    <ul class="skill-inner">
      {values.slice(0, mostEntries).map((one, place) => (
        <li key={place}>{shown(one, depth + 1)}</li>
      ))}
      {values.length > mostEntries && <li>…</li>}
    </ul>
  );
}
