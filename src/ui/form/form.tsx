import { rootId } from './checks.ts';
import { Members } from './control.tsx';
import { marksOf } from './marks.ts';
import { type Parameters, textId } from './parameters.ts';
import { Wrong } from './parts.tsx';

interface FormProps {
  readonly parameters: Parameters;
  /** Whether what is missing is shown too: not before somebody has tried to go on without it. */
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
        <label class="form-switch">
          <input
            type="checkbox"
            checked={mode === 'json'}
            onChange={(event) => {
              switchTo(event.currentTarget.checked ? 'json' : 'form');
              // Where the form cannot be shown, it stays as it was.
              event.currentTarget.checked = mode === 'json';
            }}
          />{' '}
          as JSON
        </label>
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
