import { counted } from '../../core/text/text.ts';
import type { GrantRecord } from '../../engine/operations/running/grants.ts';
import type { SkillTools } from '../../engine/operations/running/tools.ts';
import type { InspectPermissions } from '../../engine/operations/skills/inspect.ts';
import { ask } from '../api.ts';
import { GrantCard, GrantList, Words } from '../grants/list.tsx';
import { FreeItems, Review } from '../grants/review.tsx';
import { revisions } from '../live.ts';
import { bdi, Crumbs, Problem, Ready } from '../parts/elements.tsx';
import { useAction, useCalm, useLoaded } from '../parts/hooks.ts';
import { foreign, foreignCut } from '../parts/words.ts';
import { hrefOf, route } from '../route.ts';

/** The page of one skill: its requested and granted capabilities, and what has changed. */
function ReviewPage({ skill }: { readonly skill: string }) {
  const key = [skill, revisions.grants.value, revisions.skills.value];
  const inspected = useLoaded((signal) => ask('inspect', { name: skill }, signal), key);
  const grants = useLoaded((signal) => ask('grants', {}, signal), key);
  // The action outlives the choice, for its outcome may be about files that have changed by now.
  const action = useAction();
  const again = (): void => {
    inspected.again();
    grants.again();
  };
  const records = grants.value?.grants ?? [];
  const { value, error } = inspected;
  const own = records.find((record) =>
    value === null ? record.skill === skill : isSame(record, value.permissions.grant),
  );
  return (
    <>
      <Crumbs label="Where this is" way={[{ href: hrefOf('grants'), text: 'Grants' }]} />
      <h1>What {bdi(foreignCut(skill, 100))} may do</h1>
      {value === null || error !== null ? (
        <>
          {error !== null && <Problem error={error} again={again} />}
          {error !== null && own !== undefined && (
            <ul class="grants-list" aria-label="Grants">
              <GrantCard grant={own} onDone={again} />
            </ul>
          )}
          {error === null && <p class="quiet">Loading …</p>}
        </>
      ) : (
        <Ready loaded={grants}>
          {() => (
            <>
              <p class="lead">{bdi(foreignCut(value.skill.description, 500))}</p>
              <p>
                <a href={hrefOf('skill', [skill])}>Read the skill and its files</a>
                {value.tools.tools.length > 0 && ' · '}
                {value.tools.tools.length > 0 && <a href={hrefOf('run', [skill])}>Its tools</a>}
              </p>
              <Review
                key={value.digest}
                skill={skill}
                inspected={value}
                record={own ?? null}
                tool={wanted(value.tools.tools)}
                action={action}
                again={again}
              />
              <FreeItems items={value.permissions.items.filter(({ free }) => free)} />
              {value.digest !== null && (
                <p class="quiet">
                  Digest of its files now: <span class="mono">{foreign(value.digest)}</span>
                </p>
              )}
            </>
          )}
        </Ready>
      )}
    </>
  );
}

/** The tool that somebody wants to run once it is granted; null for none. */
function wanted(tools: SkillTools['tools']): string | null {
  const name = route.value.query.get('for');
  return tools.some((tool) => tool.name === name) ? name : null;
}

function isSame({ digest, grantedAt }: GrantRecord, grant: InspectPermissions['grant']): boolean {
  return grant !== null && grant.digest === digest && grant.grantedAt === grantedAt;
}

const mostShown = 100;
const pauseMs = 5000;

/**
 * Skills that ask for something and have no grant. Finding them takes a while where there are many, and nothing waits
 * for it.
 */
function Asking({ grants }: { readonly grants: readonly GrantRecord[] }) {
  const { value } = useLoaded((signal) => ask('tools', {}, signal), [useCalm(revisions.skills.value, pauseMs)]);
  const granted = new Set(grants.map(({ skill }) => skill));
  const asking = (value?.skills ?? []).filter((one) => !granted.has(one.skill) && asked(one).length > 0);
  if (asking.length === 0) return null;
  return (
    <section aria-labelledby="grants-asking">
      <h2 id="grants-asking">Asking</h2>
      <p class="quiet">These ask for something and have not been granted it. Until then, what needs it is denied.</p>
      <ul class="grants-list" aria-label="Asking">
        {asking.slice(0, mostShown).map((one) => (
          <AskingCard key={one.skill} skill={one.skill} words={asked(one)} />
        ))}
      </ul>
      {asking.length > mostShown && <p class="quiet">and {counted(asking.length - mostShown, 'skill')} more</p>}
    </section>
  );
}

function asked({ tools }: SkillTools): readonly string[] {
  return [...new Set(tools.flatMap(({ asksTo }) => asksTo))];
}

function AskingCard({ skill, words }: { readonly skill: string; readonly words: readonly string[] }) {
  const name = foreignCut(skill, 100);
  return (
    <li class="card grants-card">
      <h3>
        <a href={hrefOf('skill', [skill])}>{bdi(name)}</a>
      </h3>
      <p class="grants-may">It asks to</p>
      <Words label={`What ${name} asks for`} words={words} />
      <a class="button" href={hrefOf('grants', [skill])} aria-label={`Review ${name}`}>
        Review
      </a>
    </li>
  );
}

/** The grants page: of all skills, or of one. */
export function Grants({ rest: [skill] }: { readonly rest: readonly string[] }) {
  return skill === undefined || skill === '' ? <AllGrants /> : <ReviewPage skill={skill} />;
}

function AllGrants() {
  const loaded = useLoaded((signal) => ask('grants', {}, signal), [revisions.grants.value, revisions.skills.value]);
  return (
    <>
      <div class="page-head">
        <h1>Grants</h1>
        <p>
          What skills were allowed beyond their sandbox. A grant is for the files as they were: any change revokes it.
        </p>
      </div>
      <Ready loaded={loaded}>
        {(output) => (
          <>
            <GrantList output={output} onDone={loaded.again} />
            <Asking grants={output.grants} />
          </>
        )}
      </Ready>
    </>
  );
}
