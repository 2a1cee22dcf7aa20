import { useEffect, useState } from 'preact/hooks';
import type { GrantRecord } from '../../engine/operations/grants.ts';
import type { InspectOutput } from '../../engine/operations/inspect.ts';
import { act } from '../api.ts';
import { foreignCut } from '../parts/foreign.ts';
import { mayAct } from '../session.ts';
import type { Action } from './action.ts';
import { askedIn, grantWords, isHeld, tickedAtFirst } from './choice.ts';
import { AskedItem } from './item.tsx';
import { Revoke } from './revoke.tsx';
import { Standing } from './standing.tsx';

interface ReviewProps {
  readonly skill: string;
  readonly inspected: InspectOutput;
  /** What was granted at some time, whether it still holds or not. */
  readonly record: GrantRecord | null;
  readonly action: Action;
  readonly again: () => void;
}

/** What one skill asks for, to be granted, narrowed or taken back. */
export function Review({ skill, inspected, record, action, again }: ReviewProps) {
  const { permissions, digest } = inspected;
  const asked = askedIn(permissions, record);
  const [ticked, setTicked] = useState(() => tickedAtFirst(asked, permissions, record));
  const grantedAt = permissions.grant?.grantedAt;
  // With another grant, whoever gave it, the choice begins anew.
  useEffect(() => setTicked(tickedAtFirst(asked, permissions, record)), [grantedAt]);
  const isUnchanged = isHeld(asked, ticked, permissions);
  const { fullName, looksLike } = inspected.skill;
  const [isMeant, setMeant] = useState(looksLike === null);
  const isPossible = ticked.size > 0 && digest !== null && !isUnchanged && isMeant;
  const grant = async (): Promise<void> => {
    if (!isPossible) return;
    // Nothing but what was shown is granted: the server compares the digest.
    const confirmed = looksLike === null ? {} : { confirmName: fullName };
    await action.run(() => act('grant', { skill, only: [...ticked], expected: digest, ...confirmed }));
    again();
  };
  return (
    <>
      <Standing permissions={permissions} action={action} />
      {asked.length > 0 && (
        <fieldset class="card grants-asked">
          <legend>It asks to</legend>
          {asked.map((item) => (
            <AskedItem
              key={item.key}
              item={item}
              isTicked={ticked.has(item.key)}
              onTick={(isOn) =>
                setTicked(new Set(isOn ? [...ticked, item.key] : [...ticked].filter((key) => key !== item.key)))
              }
            />
          ))}
          {looksLike !== null && (
            <label class="grants-item">
              <input type="checkbox" checked={isMeant} onChange={(event) => setMeant(event.currentTarget.checked)} />
              <span>
                I mean <bdi>{foreignCut(fullName, 100)}</bdi>. Its name looks like that of another skill,{' '}
                <bdi>{foreignCut(looksLike, 100)}</bdi>.
              </span>
            </label>
          )}
          {mayAct() && (
            <Buttons
              words={isUnchanged ? 'Granted' : grantWords(ticked.size, asked.length)}
              isPossible={isPossible}
              action={action}
              grant={grant}
              tickAll={() => setTicked(new Set(asked.map(({ key }) => key)))}
            />
          )}
        </fieldset>
      )}
      {record !== null && mayAct() && (
        <div class="row">
          <Revoke skill={skill} onDone={again} />
        </div>
      )}
    </>
  );
}

interface ButtonsProps {
  readonly words: string;
  readonly isPossible: boolean;
  readonly action: Action;
  readonly grant: () => Promise<void>;
  readonly tickAll: () => void;
}

function Buttons({ words, isPossible, action: { isBusy }, grant, tickAll }: ButtonsProps) {
  return (
    <div class="row">
      <button type="button" class="main" aria-disabled={!isPossible || isBusy} onClick={() => void grant()}>
        {words}
      </button>
      <button type="button" onClick={tickAll}>
        Tick all
      </button>
      <span class="quiet">It is valid until any of its files changes.</span>
    </div>
  );
}
