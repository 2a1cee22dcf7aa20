import type { JsonField, Simple } from './fields.ts';
import { marksOf } from './marks.ts';
import type { ControlProps } from './parts.tsx';
import { ChoiceControl, NumberControl, SwitchControl, TextControl } from './simple-controls.tsx';

/** The control alone, as it also stands in a list. */
export function BareControl(props: ControlProps<Simple | JsonField>) {
  const { field } = props;
  switch (field.kind) {
    case 'text':
      return <TextControl {...props} field={field} />;
    case 'number':
      return <NumberControl {...props} field={field} />;
    case 'choice':
      return <ChoiceControl {...props} field={field} />;
    case 'switch':
      return <SwitchControl {...props} field={field} />;
    case 'json':
      return <JsonControl {...props} field={field} />;
  }
}

/** JSON, as it is written. */
function JsonControl({ draft, onDraft, ...rest }: ControlProps) {
  return (
    <>
      <p class="form-help quiet">Write it as JSON.</p>
      <textarea
        {...marksOf(rest)}
        class="mono"
        rows={4}
        spellcheck={false}
        autocomplete="off"
        value={String(draft)}
        onInput={(event) => onDraft(event.currentTarget.value)}
      />
    </>
  );
}
