import { useState } from 'preact/hooks';
import type { OutputOf } from '../../faces/web/operations.ts';
import { act, ask } from '../api.ts';
import { bdi, Empty, Problem } from '../parts/elements.tsx';
import { useAction } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { Table } from '../parts/table.tsx';
import { foreignCut, message, place } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { may } from '../session.ts';
import { type Outcome, Review } from './review.tsx';

type Scope = OutputOf<'locked'>['scopes'][number];
type Skill = Scope['skills'][number];

interface InstalledProps {
  readonly scopes: readonly Scope[];
  readonly onChange: () => void;
}

/** The skills that were got from a source, by the lock file that has them. */
export function Installed({ scopes, onChange }: InstalledProps) {
  const used = scopes.filter(({ skills, problem }) => skills.length > 0 || problem !== null);
  if (used.length === 0) {
    return (
      <Empty icon="get" title="Nothing has been added yet">
        <p>What you add is listed here: where it came from, and whether it has been changed since.</p>
      </Empty>
    );
  }
  return (
    <>
      {used.map((scope) => (
        <OneScope key={scope.scope} scope={scope} onChange={onChange} />
      ))}
    </>
  );
}

const titles = { project: 'In this project', global: 'For all projects' } as const;

function OneScope({ scope, onChange }: { readonly scope: Scope; readonly onChange: () => void }) {
  const { scope: kind, lockFile, skills, problem } = scope;
  const where = { [kind]: true };
  const [newest, setNewest] = useState<OutputOf<'outdated'> | null>(null);
  const [plan, setPlan] = useState<{ readonly names: readonly string[]; readonly outcome: Outcome } | null>(null);
  const [leaving, setLeaving] = useState<string | null>(null);
  const { isBusy, error, run } = useAction();
  const compare = () => run(async () => setNewest(await ask('outdated', where)));
  const look = (names: readonly string[]) =>
    run(async () => {
      setPlan(null);
      setPlan({ names, outcome: await act('update', { ...where, names: [...names], dryRun: true, diff: true }) });
    });
  const remove = (name: string) =>
    run(async () => {
      await act('remove', { ...where, names: [name] });
      setLeaving(null);
      onChange();
    });
  const steps = ({ name }: Skill) => (
    <div class="row get-steps">
      {leaving === name ? (
        <>
          <button type="button" class="danger" disabled={isBusy} onClick={() => void remove(name)}>
            Yes, remove <span class="hidden">{foreignCut(name, longest)}</span>
          </button>
          <button type="button" onClick={() => setLeaving(null)}>
            Keep
          </button>
        </>
      ) : (
        <>
          <button type="button" disabled={isBusy} onClick={() => void look([name])}>
            Update <span class="hidden">{foreignCut(name, longest)}</span>
          </button>
          <button type="button" onClick={() => setLeaving(name)}>
            Remove <span class="hidden">{foreignCut(name, longest)}</span>
          </button>
        </>
      )}
    </div>
  );
  return (
    <section aria-labelledby={`get-${kind}`}>
      <div class="section-head">
        <h2 id={`get-${kind}`}>{titles[kind]}</h2>
        {may('update') && skills.length > 0 && (
          <div class="row">
            <button type="button" disabled={isBusy} onClick={() => void compare()}>
              <Icon name="refresh" />
              Compare with the sources
            </button>
            <button type="button" disabled={isBusy} onClick={() => void look(skills.map(({ name }) => name))}>
              Update all
            </button>
          </div>
        )}
      </div>
      <p class="quiet mono">{bdi(place(lockFile))}</p>
      {problem !== null && <p class="notice bad">{bdi(message(problem))}</p>}
      {error && <Problem error={error} />}
      <div aria-live="polite">
        {plan !== null && (
          <Review
            outcome={plan.outcome}
            verb="Update"
            isBusy={isBusy}
            agree={({ names, digests }) =>
              void run(async () => {
                const outcome = await act('update', { ...where, names: [...names], digest: [...digests] });
                setPlan({ names, outcome });
                setNewest(null);
                onChange();
              })
            }
            leave={() => setPlan(null)}
          />
        )}
      </div>
      {skills.length > 0 && (
        <Table
          label={titles[kind]}
          look="skills-table"
          rows={skills}
          keyOf={({ name }) => name}
          columns={[
            {
              title: 'Skill',
              show: ({ name }) => <a href={hrefOf('skill', [name])}>{bdi(foreignCut(name, longest))}</a>,
            },
            { title: 'State', show: (skill) => <State skill={skill} newest={newest} /> },
            {
              title: 'Version',
              show: ({ version }) => bdi(foreignCut(version?.replace(/^sha256:/, '') ?? '', 12)),
              look: 'mono',
            },
            { title: 'Source', show: ({ source }) => bdi(place(source, longest)), look: 'mono' },
            ...(may('update') ? [{ title: 'Actions', show: steps, isUntitled: true as const }] : []),
          ]}
        />
      )}
    </section>
  );
}

const longest = 200;

/** Whether a skill is as it came, and whether the source has a newer one. */
function State({ skill, newest }: { readonly skill: Skill; readonly newest: OutputOf<'outdated'> | null }) {
  const found = newest?.skills.find(({ name }) => name === skill.name);
  return (
    <>
      {skill.differences.length === 0 ? (
        <span class="badge good">as it came</span>
      ) : (
        <span class="badge warn" title={foreignCut(skill.differences.join('; '), longest)}>
          changed
        </span>
      )}{' '}
      {found?.state === 'outdated' && <span class="badge warn">newer at the source</span>}
      {found?.state === 'current' && <span class="badge">newest</span>}
      {found?.state === 'unknown' && (
        <span class="badge" title={foreignCut(found.reason ?? '', longest)}>
          source not reached
        </span>
      )}
    </>
  );
}
