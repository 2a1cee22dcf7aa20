import { counted } from '../../kernel/text.ts';
import { BareControl } from './bare-control.tsx';
import { idOf } from './checks.ts';
import type { GroupField } from './fields.ts';
import { ListControl } from './list-control.tsx';
import { type ControlProps, FieldName, Help, Wrong } from './parts.tsx';
import { SwitchControl } from './simple-controls.tsx';
import { partsOf } from './values.ts';

/** The control that a field needs, with its name, what is said about it, and what is wrong with it. */
export function Control(props: ControlProps) {
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
export function GroupControl(props: ControlProps<GroupField>) {
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

/** All of a group, one below the other. */
export function Members({ field, draft, onDraft, id, problems }: Omit<ControlProps<GroupField>, 'name' | 'presence'>) {
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
