import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RunControl } from './use-run.ts';

/** The button that runs it, and while it does, the one that ends it. */
export function Buttons({ run: { state, cancel }, start }: { readonly run: RunControl; readonly start: () => void }) {
  const isRunning = state.phase === 'running';
  const first = useRef<HTMLButtonElement>(null);
  const wasCancelled = useRef(false);
  useLayoutEffect(() => {
    // The button to cancel goes away with the run. Whoever was on it goes back to the other.
    if (!isRunning && wasCancelled.current && document.activeElement === document.body) first.current?.focus();
    wasCancelled.current = false;
  }, [isRunning]);
  const end = (): void => {
    wasCancelled.current = true;
    cancel();
  };
  return (
    <div class="row run-buttons">
      <button
        type="button"
        class="main"
        ref={first}
        aria-disabled={isRunning}
        aria-keyshortcuts="Control+Enter"
        onClick={start}
      >
        {isRunning ? 'Running …' : 'Run'}
      </button>
      {isRunning && (
        <button type="button" class="danger" aria-disabled={state.key === null || state.isCancelling} onClick={end}>
          {state.isCancelling ? 'Cancelling …' : 'Cancel'}
        </button>
      )}
      <span class="quiet">
        {isRunning ? (
          'Leaving this page cancels the run.'
        ) : (
          <>
            or <kbd>Ctrl</kbd> + <kbd>Enter</kbd>
          </>
        )}
      </span>
    </div>
  );
}
