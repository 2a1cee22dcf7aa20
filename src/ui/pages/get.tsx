import { ask } from '../api.ts';
import { AddForm } from '../get/add.tsx';
import { Installed } from '../get/installed.tsx';
import { Quarantine } from '../get/quarantine.tsx';
import { revisions } from '../live.ts';
import { Ready } from '../parts/elements.tsx';
import { useCalm, useLoaded } from '../parts/hooks.ts';
import { route } from '../route.ts';
import { may, withheld } from '../session.ts';

const pauseMs = 2000;

/** The page of skills that come from others: to add, update and remove them, and to look at what is kept out. */
export function Get() {
  const loaded = useLoaded((signal) => ask('locked', {}, signal), [useCalm(revisions.skills.value, pauseMs)]);
  const source = route.value.query.get('source') ?? '';
  return (
    <>
      <div class="page-head">
        <h1>Get</h1>
        <p>
          Add skills from elsewhere. Each is scanned and shown to you first: its files, what the scan found, and what it
          asks for. Nothing can be used before you agree.
        </p>
      </div>
      {may('add') ? (
        <AddForm key={source} source={source} onChange={loaded.again} />
      ) : (
        <p class="notice">{withheld()}: whoever runs the server can add, update and remove skills.</p>
      )}
      <Ready loaded={loaded}>
        {({ scopes, quarantine }) => (
          <>
            {quarantine.length > 0 && <Quarantine quarantine={quarantine} onChange={loaded.again} />}
            <Installed scopes={scopes} onChange={loaded.again} />
          </>
        )}
      </Ready>
    </>
  );
}
