import { foreignCut } from '../parts/foreign.ts';
import { labelOf } from './facets.ts';

const longest = 60;

/** A word about a skill. What kind of word it is, is said to those who listen, and shown to those who point at it. */
export function Badge({ kind, text }: { readonly kind: string; readonly text: string }) {
  return (
    <span class="badge" title={kind}>
      <span class="hidden">{kind}: </span>
      <bdi>{foreignCut(text, longest)}</bdi>
    </span>
  );
}

export interface Placed {
  readonly provider: string;
  readonly location: string;
  readonly plugin: string | null;
}

/** Where a skill comes from. */
export function PlaceBadges({ provider, location, plugin }: Placed) {
  return (
    <>
      <Badge kind="Provider" text={provider} />
      {location !== provider && <Badge kind="Location" text={location} />}
      {plugin !== null && plugin !== provider && <Badge kind="Plugin" text={plugin} />}
    </>
  );
}

const tones: Readonly<Record<string, string>> = {
  repaired: 'warn',
  ambiguous: 'warn',
  shadowed: 'warn',
  'look-alike': 'warn',
};

export function StateBadges({ states }: { readonly states: readonly string[] }) {
  return (
    <>
      {states
        .filter((state) => state !== 'plain')
        .map((state) => (
          <span key={state} class={`badge ${tones[state] ?? ''}`}>
            {labelOf('state', state)}
          </span>
        ))}
    </>
  );
}
