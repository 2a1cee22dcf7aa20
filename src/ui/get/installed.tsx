import { useState } from 'preact/hooks';
import type { OutputOf } from '../../faces/web/operations.ts';
import { act, ask } from '../api.ts';
import { useAction } from '../parts/action.ts';
import { Empty, Problem, Scroll } from '../parts/elements.tsx';
import { Icon } from '../parts/icon.tsx';
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
      <p class="quiet mono">
        <bdi>{place(lockFile)}</bdi>
      </p>
      {problem !== null && (
        <p class="notice bad">
          <bdi>{message(problem)}</bdi>
        </p>
      )}
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
        <Scroll label={titles[kind]}>
          <table class="skills-table" aria-labelledby={`get-${kind}`}>
            <thead>
              <tr>
                <th scope="col">Skill</th>
                <th scope="col">State</th>
                <th scope="col">Version</th>
                <th scope="col">Source</th>
                {may('update') && (
                  <th scope="col">
                    <span class="hidden">Actions</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {skills.map((skill) => (
                <tr key={skill.name}>
                  <td>
                    <a href={hrefOf('skill', [skill.name])}>
                      <bdi>{foreignCut(skill.name, longest)}</bdi>
                    </a>
                  </td>
                  <td>
                    <State skill={skill} newest={newest} />
                  </td>
                  <td class="mono">
                    <bdi>{foreignCut(skill.version?.replace(/^sha256:/, '') ?? '', 12)}</bdi>
                  </td>
                  <td class="mono">
                    <bdi>{place(skill.source, longest)}</bdi>
                  </td>
                  {may('update') && (
                    <td>
                      <div class="row get-steps">
                        {leaving === skill.name ? (
                          <>
                            <button
                              type="button"
                              class="danger"
                              disabled={isBusy}
                              onClick={() => void remove(skill.name)}
                            >
                              Yes, remove <span class="hidden">{foreignCut(skill.name, longest)}</span>
                            </button>
                            <button type="button" onClick={() => setLeaving(null)}>
                              Keep
                            </button>
                          </>
                        ) : (
                          <>
                            <button type="button" disabled={isBusy} onClick={() => void look([skill.name])}>
                              Update <span class="hidden">{foreignCut(skill.name, longest)}</span>
                            </button>
                            <button type="button" onClick={() => setLeaving(skill.name)}>
                              Remove <span class="hidden">{foreignCut(skill.name, longest)}</span>
                            </button>
                          </>
                        )}
                      </div>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
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
