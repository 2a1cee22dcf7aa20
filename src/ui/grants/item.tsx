import { foreign, foreignCut } from '../parts/foreign.ts';
import { mayAct } from '../session.ts';
import type { Asked, Item } from './choice.ts';

interface AskedProps {
  readonly item: Asked;
  readonly isTicked: boolean;
  readonly onTick: (isOn: boolean) => void;
}

/** One thing that a skill asks for, to be ticked or not. */
export function AskedItem({ item, isTicked, onTick }: AskedProps) {
  const { words, granted, isNew } = item;
  return (
    <label class="grants-item">
      <input
        type="checkbox"
        // Who cannot decide is shown what is so, and not what could be.
        checked={mayAct() ? isTicked : granted}
        disabled={!mayAct()}
        onChange={(event) => onTick(event.currentTarget.checked)}
      />
      <span>
        <bdi>{foreignCut(words, 500)}</bdi> <Tools item={item} /> {granted && <span class="badge good">granted</span>}
        {isNew && <span class="badge warn">new since the last grant</span>}
      </span>
    </label>
  );
}

function Tools({ item: { tools } }: { readonly item: Item }) {
  if (tools.length === 0) return null;
  return <span class="quiet">(for {tools.map(foreign).join(', ')})</span>;
}

/** What needs no grant. */
export function FreeItems({ items }: { readonly items: readonly Item[] }) {
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="grants-free">
      <h2 id="grants-free">Needs no grant</h2>
      <ul class="grants-words">
        {items.map((item) => (
          <li key={item.key}>
            <bdi>{foreignCut(item.words, 500)}</bdi> <Tools item={item} />
          </li>
        ))}
      </ul>
    </section>
  );
}
