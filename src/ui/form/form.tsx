import { counted } from '../../core/text/text.ts';
import { foreignCut } from '../parts/words.ts';
import { idOf, marksOf, rootId } from './checks.ts';
import { BareControl, type ControlProps, FieldName, Help, SwitchControl, Wrong } from './controls.tsx';
import { blank, type GroupField, type ListField, mostRows, partsOf } from './drafts.ts';
import { type Parameters, textId } from './parameters.ts';

/** A list with a line for each item, and buttons to add and remove them. */
function ListControl({ field, draft, onDraft, id, name, presence, problems }: ControlProps<ListField>) {
  const items = partsOf(draft);
  const shown = foreignCut(name, 60);
  const isFull = items.length >= Math.min(mostRows, field.maxItems ?? mostRows);
  const add = () => {
    onDraft([...items, blank(field.item)]);
    // The new line is drawn with the next paint.
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

/** The control for a field, with its name, its help text and its problems. */
function Control(props: ControlProps) {
  const { field } = props;
  switch (field.kind) {
    case 'group':
      return <GroupControl {...props} field={field} />;
    case 'list':
      return <ListControl {...props} field={field} />;
    case 'switch':
      return <SwitchControl {...props} field={field} />;
    case 'text':
    case 'number':
    case 'choice':
    case 'json':
      return (
        <div class="form-field">
          <label for={props.id}>
            <FieldName name={props.name} presence={props.presence} />
          </label>
          <Help field={field} id={props.id} />
          <BareControl {...props} field={field} />
          <Wrong {...props} />
        </div>
      );
  }
}

/** Parameters that belong together. */
function GroupControl(props: ControlProps<GroupField>) {
  return (
    <fieldset class="form-group">
      <legend>
        <FieldName name={props.name} presence={props.presence} />
      </legend>
      <Help field={props.field} id={props.id} />
      <Members {...props} />
    </fieldset>
  );
}

/** The members of a group, one below the other. */
function Members({ field, draft, onDraft, id, problems }: Omit<ControlProps<GroupField>, 'name' | 'presence'>) {
  const parts = partsOf(draft);
  return (
    <>
      {field.members.map(({ name, presence, field: part }, place) => (
        <Control
          key={place}
          field={part}
          draft={parts[place] ?? ''}
          presence={presence}
          id={idOf(id, place)}
          name={name}
          problems={problems}
          onDraft={(now) => onDraft(field.members.map((_, other) => (other === place ? now : (parts[other] ?? ''))))}
        />
      ))}
      {field.more > 0 && (
        <p class="notice">
          {counted(field.more, 'parameter')} more {field.more === 1 ? 'is' : 'are'} not shown here. Write them as JSON.
        </p>
      )}
      {field.isOpen && <p class="quiet">It also takes parameters with other names: write those as JSON.</p>}
    </>
  );
}

interface FormProps {
  readonly parameters: Parameters;
  /** Whether missing values are shown as well: not before somebody has tried to go on without them. */
  readonly showMissing: boolean;
}

/** The parameters of a tool, to be filled in. */
export function ParameterForm({ parameters, showMissing }: FormProps) {
  const { form, mode, draft, problems, setDraft, switchTo } = parameters;
  const shown = problems.filter(({ isMissing }) => showMissing || !isMissing);
  const isEmpty = form.members.length === 0 && form.more === 0 && !form.isOpen;
  return (
    // Enter alone must not run anything.
    <form
      class="form"
      aria-label="Parameters"
      noValidate
      autocomplete="off"
      onSubmit={(event) => event.preventDefault()}
    >
      <div class="row form-head">
        <h2>Parameters</h2>
        {(mode === 'json' || !isEmpty) && (
          <label class="form-switch">
            <input
              type="checkbox"
              checked={mode === 'json'}
              onChange={(event) => {
                switchTo(event.currentTarget.checked ? 'json' : 'form');
                // The mode stays as it was where the form cannot be shown.
                event.currentTarget.checked = mode === 'json';
              }}
            />{' '}
            as JSON
          </label>
        )}
      </div>
      {mode === 'form' && isEmpty && <p class="quiet">It takes no parameters.</p>}
      {mode === 'form' && <Members field={form} draft={draft} id={rootId} problems={shown} onDraft={setDraft} />}
      {mode === 'json' && <JsonText parameters={parameters} />}
    </form>
  );
}

function JsonText({ parameters: { text, setText, problems, stuck } }: Pick<FormProps, 'parameters'>) {
  return (
    <div class="form-field">
      <label for={textId}>All parameters</label>
      <textarea
        {...marksOf({ id: textId, field: null, presence: 'required', problems })}
        class="mono"
        rows={14}
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Wrong id={textId} problems={problems} />
      {stuck && (
        <p class="notice warn" role="alert">
          {stuck}
        </p>
      )}
    </div>
  );
}
