import type { ComponentChildren } from 'preact';

export interface Fact {
  readonly name: string;
  readonly value: ComponentChildren;
}

/** Names and their values, one below the other. */
export function Facts({ label, facts }: { readonly label: string; readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts" aria-label={label}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
