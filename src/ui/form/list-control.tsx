import { foreignCut } from '../parts/foreign.ts';
import { BareControl } from './bare-control.tsx';
import { idOf } from './checks.ts';
import { blank, mostRows } from './drafts.ts';
import type { ListField } from './fields.ts';
import { type ControlProps, FieldName, Help, Wrong } from './parts.tsx';
import { partsOf } from './values.ts';

/** A line for each item, with ways to add and remove them. */
export function ListControl({ field, draft, onDraft, id, name, presence, problems }: ControlProps<ListField>) {
  const items = partsOf(draft);
  const shown = foreignCut(name, 60);
  const isFull = items.length >= Math.min(mostRows, field.maxItems ?? mostRows);
  const add = () => {
    onDraft([...items, blank(field.item)]);
    // The new line is not there before the next paint.
    requestAnimationFrame(() => document.getElementById(idOf(id, items.length))?.focus());
  };
  const remove = (place: number) => {
    onDraft(items.filter((_, other) => other !== place));
    document.getElementById(`${id}-add`)?.focus();
  };
  return (
    <fieldset class="form-group" id={id} tabIndex={-1} aria-describedby={`${id}-help ${id}-wrong`}>
      <legend>
        <FieldName name={name} presence={presence} />
      </legend>
      <Help field={field} id={id} />
      {items.map((item, place) => (
        <div key={place} class="form-item">
          <label class="hidden" for={idOf(id, place)}>
            {shown} {place + 1}
          </label>
          <BareControl
            field={field.item}
            draft={item}
            presence="item"
            id={idOf(id, place)}
            name={`${shown} ${place + 1}`}
            problems={problems}
            onDraft={(now) => onDraft(items.map((before, other) => (other === place ? now : before)))}
          />
          <button type="button" aria-label={`Remove ${shown} ${place + 1}`} onClick={() => remove(place)}>
            Remove
          </button>
          <Wrong id={idOf(id, place)} problems={problems} />
        </div>
      ))}
      <button
        type="button"
        id={`${id}-add`}
        aria-label={`Add to ${shown}`}
        aria-disabled={isFull}
        onClick={() => isFull || add()}
      >
        Add
      </button>
      <Wrong id={id} problems={problems} />
    </fieldset>
  );
}
