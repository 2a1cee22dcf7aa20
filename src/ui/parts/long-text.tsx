import { useState } from 'preact/hooks';
import { foreign } from './foreign.ts';

const step = 50_000;

/** A text as it is written, of any length: what is too much at once comes when it is asked for. */
export function LongText({ text, label }: { readonly text: string; readonly label: string }) {
  const [shown, setShown] = useState(step);
  return (
    <>
      <section class="long-text" aria-label={label}>
        <pre>{foreign(text.slice(0, shown).toWellFormed())}</pre>
      </section>
      {shown < text.length && (
        <button type="button" onClick={() => setShown(shown + step)}>
          Show more
        </button>
      )}
    </>
  );
}
