import { marksOf } from './marks.ts';
import type { ControlProps } from './parts.tsx';

/** JSON, as it is written. */
export function JsonControl({ draft, onDraft, ...rest }: ControlProps) {
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
