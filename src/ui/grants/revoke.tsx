import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { act } from '../api.ts';
import { foreignCut } from '../parts/foreign.ts';
import { Problem } from '../parts/notices.tsx';
import { useAction } from './action.ts';

interface RevokeProps {
  readonly skill: string;
  readonly onDone: () => void;
}

/** Takes back what a skill was granted, after a second look. */
export function Revoke({ skill, onDone }: RevokeProps) {
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, error, run } = useAction();
  const first = useRef<HTMLButtonElement>(null);
  const sure = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  // Before the next key is pressed: the button that had the focus is gone.
  useLayoutEffect(() => {
    if (isAsking) sure.current?.focus();
    else if (wasAsking.current) first.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);

  const name = foreignCut(skill, 100);
  const revoke = async (): Promise<void> => {
    if (!(await run(() => act('revoke', { skill })))) return;
    // There will be nothing left to revoke here, so this button goes away too.
    wasAsking.current = false;
    document.getElementById('main')?.focus();
    setIsAsking(false);
    onDone();
  };
  return (
    <>
      {isAsking ? (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would look like a part of a form.
        <div
          class="row grants-sure"
          role="group"
          aria-label={`Revoke the grant of ${name}`}
          onKeyDown={(event) => event.key === 'Escape' && setIsAsking(false)}
        >
          <span>It may then do none of this. Sure?</span>
          <button type="button" class="danger" ref={sure} aria-disabled={isBusy} onClick={() => void revoke()}>
            Yes, revoke
          </button>
          <button type="button" onClick={() => setIsAsking(false)}>
            Keep it
          </button>
        </div>
      ) : (
        <button
          type="button"
          class="danger"
          ref={first}
          aria-label={`Revoke ${name}`}
          onClick={() => setIsAsking(true)}
        >
          Revoke
        </button>
      )}
      {error && <Problem error={error} />}
    </>
  );
}
