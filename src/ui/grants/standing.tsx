import type { InspectPermissions } from '../../engine/operations/inspect.ts';
import { ApiError } from '../api.ts';
import { foreignCut } from '../parts/foreign.ts';
import { Problem } from '../parts/notices.tsx';
import { moment } from '../parts/words.ts';
import { mayAct } from '../session.ts';
import type { Action } from './action.ts';
import { Changes } from './changes.tsx';

interface StandingProps {
  readonly permissions: InspectPermissions;
  readonly action: Action;
}

/** How it stands with what a skill asks for and was granted. */
export function Standing({ permissions: { items, grant, impossible }, action: { error } }: StandingProps) {
  const needsOne = items.some(({ free }) => !free);
  return (
    <>
      {error !== null && <NotGranted error={error} />}
      <div role="status">
        {grant?.valid && (
          <p class="notice good">Granted on {moment(grant.grantedAt)}. It is valid until any of its files changes.</p>
        )}
      </div>
      {grant !== null && !grant.valid && <Changes grantedAt={grant.grantedAt} changes={grant.changes} />}
      {grant === null && needsOne && <p class="quiet">Nothing has been granted to it.</p>}
      {!needsOne && <p class="notice">It asks for nothing that has to be granted. It runs in its sandbox as it is.</p>}
      {impossible !== null && (
        <div class="notice bad">
          <p>
            <strong>Not all of it can be granted.</strong>
          </p>
          <p>
            <bdi>{foreignCut(impossible, 4000)}</bdi>
          </p>
          <p class="quiet">
            The operator's policy and the rules for every skill take precedence over grants. Untick what cannot be
            granted, or have the author ask for less.
          </p>
        </div>
      )}
      {!mayAct() && <p class="notice">This console is read-only, so nothing can be granted or revoked here.</p>}
    </>
  );
}

/** Why nothing was granted. What was shown may no longer be so; then it is on the page again as it is now. */
function NotGranted({ error }: { readonly error: Error }) {
  if (!(error instanceof ApiError) || error.code !== 'denied') return <Problem error={error} />;
  return (
    <div class="notice bad" role="alert">
      <p>
        Nothing was granted: <bdi>{foreignCut(error.message, 2000)}</bdi>
      </p>
      <p>It has just been reloaded. Review it again before you grant it.</p>
    </div>
  );
}
