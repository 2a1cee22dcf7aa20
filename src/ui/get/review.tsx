import { useState } from 'preact/hooks';
import { counted } from '../../core/text/text.ts';
import type { OutputOf } from '../../faces/web/operations.ts';
import { askInWords } from '../parts/asks.ts';
import { Patch } from '../parts/diff.tsx';
import { bdi } from '../parts/elements.tsx';
import { Icon } from '../parts/icon.tsx';
import { foreignCut, place, type Said } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { Findings } from './findings.tsx';

export type Outcome = OutputOf<'add'>;
type Planned = Outcome['skills'][number];

/** The skills that a person agreed to, and the versions of them. */
export interface Agreed {
  readonly names: readonly string[];
  readonly digests: readonly string[];
}

/** Actions that change something, and so need somebody to agree. */
const doing: ReadonlySet<Planned['action']> = new Set(['add', 'replace', 'merge', 'adopt', 'quarantine']);

const actions: Readonly<Record<Planned['action'], Said>> = {
  add: { tone: 'good', text: 'new' },
  replace: { tone: 'warn', text: 'replaces the version you have' },
  merge: { tone: 'warn', text: 'is merged with your changes' },
  adopt: { tone: '', text: 'already here, to be kept track of' },
  none: { tone: '', text: 'already here' },
  remove: { tone: 'bad', text: 'is removed' },
  refuse: { tone: 'bad', text: 'cannot be put there' },
  quarantine: { tone: 'bad', text: 'goes into quarantine' },
};

const longest = 300;

interface ReviewProps {
  readonly outcome: Outcome;
  readonly verb: string;
  readonly isBusy: boolean;
  readonly agree: (agreed: Agreed) => void;
  readonly leave: () => void;
}

/** A plan to look at: what comes, what the scan found, what it asks for and what changes; or, once it is done, that. */
export function Review({ outcome, verb, isBusy, agree, leave }: ReviewProps) {
  const { skills, refused, done, kept } = outcome;
  const offered = skills.filter(({ action }) => doing.has(action));
  const [left, setLeft] = useState<ReadonlySet<string>>(
    // What the scan blocks comes only if somebody wants it all the same.
    () => new Set(offered.filter(({ action }) => action === 'quarantine').map(({ name }) => name)),
  );
  if (done) return <Done outcome={outcome} />;
  const chosen = offered.filter(({ name }) => !left.has(name));
  const toggle = (name: string): void => {
    const next = new Set(left);
    if (!next.delete(name)) next.add(name);
    setLeft(next);
  };
  return (
    <>
      <ul class="get-review" aria-label="What comes">
        {skills.map((one) => (
          <PlannedSkill
            key={one.name}
            planned={one}
            isChosen={!left.has(one.name)}
            toggle={doing.has(one.action) ? () => toggle(one.name) : null}
          />
        ))}
      </ul>
      {refused.map(({ name, reason }) => (
        <p key={name} class="notice bad">
          {bdi(foreignCut(name, longest))}: {bdi(foreignCut(reason, longest))}
        </p>
      ))}
      {kept.length > 0 && <p class="quiet">What you had changed is kept in {place(kept.join(', '))}.</p>}
      {offered.length === 0 ? (
        <p class="notice">There is nothing to do: everything is there as the source has it.</p>
      ) : (
        <div class="row">
          <button
            type="button"
            class="main"
            disabled={isBusy || chosen.length === 0}
            onClick={() => agree({ names: chosen.map(({ name }) => name), digests: digestsOf(chosen) })}
          >
            <Icon name="check" />
            {verb} {counted(chosen.length, 'skill')}
          </button>
          <button type="button" onClick={leave}>
            Cancel
          </button>
        </div>
      )}
    </>
  );
}

function digestsOf(planned: readonly Planned[]): readonly string[] {
  return planned.flatMap(({ digest }) => digest ?? []);
}

function Done({ outcome: { skills, folder } }: { readonly outcome: Outcome }) {
  const kept = skills.filter(({ action }) => action === 'quarantine').length;
  const there = skills.filter(({ action }) => doing.has(action) && action !== 'quarantine');
  return (
    <div class={kept > 0 ? 'notice warn' : 'notice good'}>
      <p>
        {there.length > 0 && (
          <>
            {counted(there.length, 'skill')} in place, in {bdi(place(folder), 'mono')}:{' '}
            {there.map(({ name }, place) => (
              <span key={name}>
                {place > 0 && ', '}
                <a href={hrefOf('skill', [name])}>{bdi(foreignCut(name, longest))}</a>
              </span>
            ))}
            .{' '}
          </>
        )}
        {kept > 0 && `${counted(kept, 'skill')} in quarantine, where nobody can use ${kept === 1 ? 'it' : 'them'}.`}
        {there.length + kept === 0 && 'Nothing had to be done.'}
      </p>
    </div>
  );
}

interface PlannedProps {
  readonly planned: Planned;
  readonly isChosen: boolean;
  /** Null where there is nothing to choose. */
  readonly toggle: (() => void) | null;
}

function PlannedSkill({ planned, isChosen, toggle }: PlannedProps) {
  const { name, action, reason, source, commit, files, findings, verdict, asks, merge, diff } = planned;
  const { tone, text } = actions[action];
  return (
    <li class="card">
      <div class="row">
        {toggle !== null && (
          <input
            type="checkbox"
            class="get-choose"
            aria-label={`Include ${foreignCut(name, longest)}`}
            checked={isChosen}
            onChange={toggle}
          />
        )}
        <h3>{bdi(foreignCut(name, longest))}</h3>
        <span class={`badge ${tone}`}>{text}</span>
        {verdict === 'clean' && <span class="badge good">the scan found nothing</span>}
        <span class="quiet">{counted(files, 'file')}</span>
      </div>
      {reason !== null && <p class="notice bad">{bdi(foreignCut(reason, longest))}</p>}
      {source !== null && (
        <p class="quiet mono">
          {bdi(place(commit === null ? source : `${source} at ${commit.slice(0, 12)}`, longest))}
        </p>
      )}
      <Findings findings={findings} />
      {asks.length > 0 && (
        <>
          <p>
            It asks to do this. <span class="quiet">You decide about it once the skill is here.</span>
          </p>
          <ul aria-label={`What ${foreignCut(name, longest)} asks for`}>
            {asks.map((ask) => (
              <li key={ask}>{bdi(place(askInWords(ask), longest))}</li>
            ))}
          </ul>
        </>
      )}
      {merge.some(({ outcome }) => outcome === 'conflict') && (
        <p class="notice warn">
          You and the source have changed the same lines of{' '}
          <bdi class="mono">
            {foreignCut(
              merge
                .filter(({ outcome }) => outcome === 'conflict')
                .map(({ path }) => path)
                .join(', '),
              longest,
            )}
          </bdi>
          .
        </p>
      )}
      {diff !== null && diff !== '' && (
        <details>
          <summary>Its files</summary>
          <Patch label={`Files of ${foreignCut(name, longest)}`} text={diff} />
        </details>
      )}
    </li>
  );
}
