import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { counted } from '../../core/text/text.ts';
import type { GrantRecord, GrantsOutput } from '../../engine/operations/running/grants.ts';
import { act } from '../api.ts';
import { bdi, Problem } from '../parts/elements.tsx';
import { useAction } from '../parts/hooks.ts';
import { foreign, foreignCut, moment, place } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { may } from '../session.ts';

const mostShown = 20;

interface ChangesProps {
  readonly grantedAt: string;
  readonly changes: readonly string[];
}

/** Changes to a skill since its grant, which they revoked. */
export function Changes({ grantedAt, changes }: ChangesProps) {
  const more = changes.length - mostShown;
  return (
    <div class="notice warn">
      <p>
        <strong>A change has revoked this grant.</strong> What was granted on {moment(grantedAt)} was for the files as
        they were then. Since then:
      </p>
      <ul aria-label="What has changed">
        {changes.slice(0, mostShown).map((change) => (
          <li key={change}>{bdi(foreignCut(change, 500))}</li>
        ))}
      </ul>
      {more > 0 && <p class="quiet">and {counted(more, 'change')} more</p>}
    </div>
  );
}

interface RevokeProps {
  readonly skill: string;
  readonly onDone: () => void;
}

/** Revokes a skill's grant, after a confirmation. */
export function Revoke({ skill, onDone }: RevokeProps) {
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, error, run } = useAction();
  const first = useRef<HTMLButtonElement>(null);
  const sure = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  // A layout effect runs before the next key press: the focused button is gone.
  useLayoutEffect(() => {
    if (isAsking) sure.current?.focus();
    else if (wasAsking.current) first.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);

  const name = foreignCut(skill, 100);
  const revoke = async (): Promise<void> => {
    if (!(await run(() => act('revoke', { skill })))) return;
    // Nothing will be left to revoke here, so this button goes away too.
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

interface ListProps {
  readonly output: GrantsOutput;
  readonly onDone: () => void;
}

/** All grants, and whether they still hold. */
export function GrantList({ output: { grants, problems }, onDone }: ListProps) {
  return (
    <>
      {problems.map((problem) => (
        <p key={problem} class="notice bad">
          {foreign(problem)}
        </p>
      ))}
      {grants.length === 0 && (
        <p class="notice">
          Nothing is granted. Skills run in a sandbox without a network and without your files; one that needs more asks
          for it. It is granted here, or with <code>repertoire grant SKILL</code>.
        </p>
      )}
      {grants.length > 0 && (
        <ul class="grants-list" aria-label="Grants">
          {grants.map((grant) => (
            <GrantCard key={grant.folder} grant={grant} onDone={onDone} />
          ))}
        </ul>
      )}
    </>
  );
}

export function GrantCard({ grant, onDone }: { readonly grant: GrantRecord; readonly onDone: () => void }) {
  const { skill, folder, grantedAt, valid, changes, items, withheld } = grant;
  const name = foreignCut(skill, 100);
  return (
    <li class="card grants-card">
      <div class="row">
        <h2>
          <a href={hrefOf('skill', [skill])}>{bdi(name)}</a>
        </h2>
        <span class={valid ? 'badge good' : 'badge warn'}>{valid ? 'holds' : 'revoked by a change'}</span>
        <span class="quiet grants-since">since {moment(grantedAt)}</span>
      </div>
      {!valid && <Changes grantedAt={grantedAt} changes={changes} />}
      <p class="grants-may">{valid ? 'It may' : 'It was allowed to'}</p>
      <Words label={`What ${name} was granted`} words={items.map((item) => item.words)} />
      {withheld.length > 0 && (
        <>
          <p class="grants-may quiet">It asks for this too, and was not granted it: to</p>
          <Words label={`What ${name} was not granted`} words={withheld.map((item) => item.words)} />
        </>
      )}
      <p class="mono quiet">{bdi(place(folder))}</p>
      <div class="row">
        <a class="button" href={hrefOf('grants', [skill])} aria-label={`Review ${name}`}>
          Review
        </a>
        {may('revoke') && <Revoke skill={skill} onDone={onDone} />}
      </div>
    </li>
  );
}

export function Words({ label, words }: { readonly label: string; readonly words: readonly string[] }) {
  return (
    <ul class="grants-words" aria-label={label}>
      {words.map((text) => (
        <li key={text}>{bdi(place(text, 500))}</li>
      ))}
    </ul>
  );
}
