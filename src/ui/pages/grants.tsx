import { ask } from '../api.ts';
import { GrantList } from '../grants/list.tsx';
import { Asking, ReviewPage } from '../grants/review-page.tsx';
import { revisions } from '../live.ts';
import { Ready } from '../parts/elements.tsx';
import { useLoaded } from '../parts/hooks.ts';

/** What skills were granted: of all of them, or of one. */
export function Grants({ rest: [skill] }: { readonly rest: readonly string[] }) {
  return skill === undefined || skill === '' ? <AllGrants /> : <ReviewPage skill={skill} />;
}

function AllGrants() {
  const loaded = useLoaded((signal) => ask('grants', {}, signal), [revisions.grants.value, revisions.skills.value]);
  return (
    <>
      <h1>Grants</h1>
      <p class="quiet">
        What skills were allowed beyond their sandbox. A grant is for the files as they were: any change revokes it.
      </p>
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
