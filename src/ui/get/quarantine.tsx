import { useState } from 'preact/hooks';
import type { OutputOf } from '../../faces/web/operations.ts';
import { act } from '../api.ts';
import { bdi, Problem } from '../parts/elements.tsx';
import { useAction } from '../parts/hooks.ts';
import { foreignCut, place } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { may } from '../session.ts';
import { Findings } from './findings.tsx';

type Kept = OutputOf<'locked'>['quarantine'][number];

interface QuarantineProps {
  readonly quarantine: readonly Kept[];
  readonly onChange: () => void;
}

/** Skills that the scan keeps from being used, with what it found, and the way to let one out. */
export function Quarantine({ quarantine, onChange }: QuarantineProps) {
  return (
    <section aria-labelledby="get-quarantine">
      <h2 id="get-quarantine">Quarantine</h2>
      <p class="quiet">Nobody can load or run these. Read what was found before you let one out.</p>
      <ul class="get-review">
        {quarantine.map((kept) => (
          <KeptOut key={kept.folder} kept={kept} onChange={onChange} />
        ))}
      </ul>
    </section>
  );
}

const longest = 300;

function KeptOut({ kept, onChange }: { readonly kept: Kept; readonly onChange: () => void }) {
  const { name, folder, digest, findings } = kept;
  const [reason, setReason] = useState('');
  const { isBusy, error, run } = useAction();
  const allow = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      await act('allow', { skill: name, digest, reason });
      onChange();
    });
  };
  return (
    <li class="card">
      <h3>
        <a href={hrefOf('skill', [name])}>{bdi(foreignCut(name, longest))}</a>
      </h3>
      <p class="quiet mono">{bdi(place(folder, longest))}</p>
      <Findings findings={findings} skill={name} />
      {may('allow') && (
        <details>
          <summary>Let it out …</summary>
          <form class="get-allow" onSubmit={allow}>
            <label>
              Why is it safe? This is kept in the audit log.
              <input type="text" required value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
            </label>
            <button type="submit" class="danger" disabled={isBusy || reason.trim() === ''}>
              Let this version out
            </button>
          </form>
          {error && <Problem error={error} />}
        </details>
      )}
    </li>
  );
}
