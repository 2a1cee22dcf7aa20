import { counted } from '../../core/text/text.ts';
import type { FileChange } from '../../engine/operations/running/grants.ts';
import { ask } from '../api.ts';
import { Diff } from '../parts/diff.tsx';
import { Ready } from '../parts/elements.tsx';
import { useLoaded } from '../parts/hooks.ts';
import { foreign, foreignCut } from '../parts/words.ts';

/** The changes of a skill's files since its grant, line by line. */
export function FileChanges({ skill, digest }: { readonly skill: string; readonly digest: string | null }) {
  const loaded = useLoaded((signal) => ask('grants', { skill, diff: true }, signal), [skill, digest]);
  return (
    <section class="grants-diff" aria-labelledby="grants-diff">
      <h2 id="grants-diff">What has changed since the grant</h2>
      <Ready loaded={loaded}>{({ grants: [grant] }) => <Files files={grant?.files ?? []} />}</Ready>
    </section>
  );
}

/** Files whose changes are open at first. */
const mostOpen = 5;

function Files({ files }: { readonly files: readonly FileChange[] }) {
  return (
    <>
      <p class="quiet">{counted(files.length, 'file')}</p>
      {files.map((file, place) => (
        <details key={file.path} class="grants-file" open={place < mostOpen}>
          <summary>
            <bdi class="mono">{foreignCut(file.path, 300)}</bdi> <span class="badge">{words[file.change]}</span>
          </summary>
          {file.note !== null && <p class="quiet">{foreign(file.note)}</p>}
          {isKnown(file) && file.before !== file.after && (
            <Diff
              label={`Changes of ${foreignCut(file.path, 300)}`}
              before={file.before ?? ''}
              after={file.after ?? ''}
              sides={['as it was granted', 'now']}
            />
          )}
        </details>
      ))}
    </>
  );
}

const words: Readonly<Record<FileChange['change'], string>> = { changed: 'changed', added: 'new', removed: 'gone' };

/** Whether both sides are known: half of a change would look like another one. */
function isKnown({ change, before, after }: FileChange): boolean {
  return (change === 'added' || before !== null) && (change === 'removed' || after !== null);
}
