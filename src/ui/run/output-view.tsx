import { sizeInWords } from '../../kernel/quantities.ts';
import { useAtEnd } from '../parts/at-end.ts';
import type { Piece, Written } from './output.ts';

/** What a run writes, as it comes. It stays at the end, unless somebody has gone back to read. */
export function OutputView({ written, isRunning }: { readonly written: Written; readonly isRunning: boolean }) {
  const following = useAtEnd<HTMLPreElement>(written);
  const { pieces, dropped } = written;
  const hasErrors = pieces.some(({ stream }) => stream === 'stderr');
  return (
    <section aria-labelledby="run-output">
      <div class="row">
        <h2 id="run-output">Output</h2>
        {hasErrors && <span class="run-stderr run-legend">standard error looks like this</span>}
      </div>
      {dropped > 0 && (
        <p class="notice">The first {sizeInWords(dropped)} of the output are no longer shown, but still count.</p>
      )}
      <pre
        class="run-output"
        {...following}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label="Output of the run"
      >
        {pieces.map((piece) => (
          <Part key={piece.number} piece={piece} />
        ))}
        {pieces.length === 0 && <span class="quiet">{isRunning ? 'Nothing yet.' : 'It wrote nothing.'}</span>}
      </pre>
    </section>
  );
}

function Part({ piece: { stream, text } }: { readonly piece: Piece }) {
  if (stream === 'stdout') return <span>{text}</span>;
  return (
    <span class="run-stderr">
      <span class="hidden">standard error: </span>
      {text}
    </span>
  );
}
