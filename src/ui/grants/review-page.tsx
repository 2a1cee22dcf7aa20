import type { GrantRecord } from '../../engine/operations/grants.ts';
import type { InspectPermissions } from '../../engine/operations/inspect.ts';
import { ask } from '../api.ts';
import { revisions } from '../live.ts';
import { foreign, foreignCut } from '../parts/foreign.ts';
import { useLoaded } from '../parts/loaded.ts';
import { Problem, Ready } from '../parts/notices.tsx';
import { hrefOf } from '../route.ts';
import { useAction } from './action.ts';
import { FreeItems } from './item.tsx';
import { GrantCard } from './list.tsx';
import { Review } from './review.tsx';

/** One skill: what it asks for, what it has, and what has changed. */
export function ReviewPage({ skill }: { readonly skill: string }) {
  const key = [skill, revisions.grants.value, revisions.skills.value];
  const inspected = useLoaded((signal) => ask('inspect', { name: skill }, signal), key);
  const grants = useLoaded((signal) => ask('grants', {}, signal), key);
  // It outlives the choice, for it may be about files that are others by now.
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
      <p class="quiet">
        <a href={hrefOf('grants')}>Grants</a>
      </p>
      <h1>
        What <bdi>{foreignCut(skill, 100)}</bdi> may do
      </h1>
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
              <p>
                <bdi>{foreignCut(value.skill.description, 500)}</bdi>
              </p>
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

function isSame({ digest, grantedAt }: GrantRecord, grant: InspectPermissions['grant']): boolean {
  return grant !== null && grant.digest === digest && grant.grantedAt === grantedAt;
}
