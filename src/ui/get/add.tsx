import { useEffect, useState } from 'preact/hooks';
import { act } from '../api.ts';
import { Problem, Skeleton } from '../parts/elements.tsx';
import { useAction } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { type Agreed, type Outcome, Review } from './review.tsx';

interface Asked {
  readonly source: string;
  readonly global: boolean;
}

interface AddFormProps {
  /** The source that the address names. */
  readonly source: string;
  readonly onChange: () => void;
}

/** Adds skills: first a look at what a source has, then those that are wanted of it. */
export function AddForm({ source: first, onChange }: AddFormProps) {
  const [source, setSource] = useState(first);
  const [isGlobal, setIsGlobal] = useState(true);
  const [looked, setLooked] = useState<{ readonly asked: Asked; readonly outcome: Outcome } | null>(null);
  const { isBusy, error, run } = useAction();
  const look = (): void => {
    const asked = { source: source.trim(), global: isGlobal };
    if (asked.source === '') return;
    setLooked(null);
    void run(async () => {
      setLooked({ asked, outcome: await act('add', { ...withScope(asked), dryRun: true, diff: true }) });
    });
  };
  useEffect(() => {
    if (first !== '') look();
  }, []);
  const agree = ({ names, digests }: Agreed): void => {
    if (looked === null) return;
    void run(async () => {
      const outcome = await act('add', { ...withScope(looked.asked), skill: [...names], digest: [...digests] });
      setLooked({ ...looked, outcome });
      onChange();
    });
  };
  return (
    <section class="card get-add" aria-labelledby="get-add">
      <h2 id="get-add">Add from a source</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          look();
        }}
      >
        <label class="get-source">
          Source
          <input
            type="text"
            required
            spellcheck={false}
            autocomplete="off"
            placeholder="owner/repo, a folder, an archive, npm:package or an address"
            value={source}
            onInput={(event) => setSource(event.currentTarget.value)}
          />
        </label>
        <label>
          For
          <select
            value={isGlobal ? 'all' : 'project'}
            onChange={(event) => setIsGlobal(event.currentTarget.value === 'all')}
          >
            <option value="all">all projects</option>
            <option value="project">this project</option>
          </select>
        </label>
        <button type="submit" class="main" disabled={isBusy}>
          <Icon name="eye" />
          Look at it
        </button>
      </form>
      {error && <Problem error={error} />}
      <div aria-live="polite" aria-busy={isBusy}>
        {isBusy && looked === null && <Skeleton lines={3} />}
        {looked !== null && (
          <Review outcome={looked.outcome} verb="Add" isBusy={isBusy} agree={agree} leave={() => setLooked(null)} />
        )}
      </div>
    </section>
  );
}

function withScope({ source, global }: Asked) {
  return { source, global, project: !global };
}
