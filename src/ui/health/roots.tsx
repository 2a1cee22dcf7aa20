import { useState } from 'preact/hooks';
import type { HealthOutput } from '../../engine/operations/health.ts';
import { counted, grouped } from '../../kernel/text.ts';
import { path, Table, words } from './table.tsx';

const statusTones = { found: 'good', missing: '', unreadable: 'bad' } as const;

/** Folders that are searched, in the order in which they count. Most of those that agents have are not there. */
export function Roots({ roots }: { readonly roots: HealthOutput['roots'] }) {
  const [showsAll, setShowsAll] = useState(false);
  const there = roots.filter(({ status }) => status !== 'missing');
  const missing = roots.length - there.length;
  return (
    <Table
      id="health-roots"
      title="Roots"
      rows={showsAll ? roots : there}
      empty={
        <>
          None of the folders that are searched exists. Create a first skill with <code>repertoire new NAME</code>.
        </>
      }
      columns={[
        { title: 'Folder', show: (root) => path(root.path) },
        {
          title: 'Provider',
          show: ({ provider, plugin }) => words(plugin === null ? provider : `${provider} (${plugin})`),
        },
        { title: 'Location', show: (root) => words(root.location) },
        { title: 'Status', show: ({ status }) => <span class={`badge ${statusTones[status]}`}>{status}</span> },
        { title: 'Skills', show: ({ skills }) => grouped(skills), isNumber: true },
      ]}
    >
      {missing > 0 && (
        <button type="button" class="health-more" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Hide' : 'Show'} {counted(missing, 'folder')} that {missing === 1 ? 'is' : 'are'} missing
        </button>
      )}
    </Table>
  );
}
