import type { JsonField, Simple } from './fields.ts';
import { JsonControl } from './json-control.tsx';
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
