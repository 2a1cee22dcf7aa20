import { useState } from 'preact/hooks';
import { sizeInWords } from '../../core/text/quantities.ts';
import { counted, grouped } from '../../core/text/text.ts';
import type { DoctorOutput } from '../../engine/operations/machine/doctor.ts';
import type { HealthOutput } from '../../engine/operations/machine/health.ts';
import { mendHref } from '../markdown/address.ts';
import { CopyButton } from '../parts/copy.tsx';
import { bdi } from '../parts/elements.tsx';
import { path, TableCard, words } from '../parts/table.tsx';
import { message, moment, place } from '../parts/words.ts';
import { placeHref } from '../route.ts';
import { may } from '../session.ts';
import { groupsOf, type SeverityGroup, whereOf } from './words.ts';

const statusTones = { found: 'good', missing: '', unreadable: 'bad' } as const;

/** Folders that are searched, in their order of precedence. Most of the agents' folders do not exist. */
export function Roots({ roots }: { readonly roots: HealthOutput['roots'] }) {
  const [showsAll, setShowsAll] = useState(false);
  const there = roots.filter(({ status }) => status !== 'missing');
  const missing = roots.length - there.length;
  return (
    <TableCard
      id="health-roots"
      title="Roots"
      rows={showsAll ? roots : there}
      empty={
        <>
          None of the folders that are searched exists. Create a first skill with <code>repertoire new skill NAME</code>
          .
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
        { title: 'Skills', show: ({ skills }) => grouped(skills), look: 'number' },
      ]}
    >
      {missing > 0 && (
        <button type="button" class="health-more" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Hide' : 'Show'} {counted(missing, 'folder')} that {missing === 1 ? 'is' : 'are'} missing
        </button>
      )}
    </TableCard>
  );
}

const few = 100;
const longestFinding = 2000;

/** All diagnostics, the gravest first, each with its remedy. */
export function Diagnostics({ diagnostics, owners }: Pick<DoctorOutput, 'diagnostics' | 'owners'>) {
  const groups = groupsOf(diagnostics);
  const byFile = new Map(owners.map((owner) => [owner.file, owner]));
  return (
    <section aria-labelledby="health-diagnostics">
      <h2 id="health-diagnostics">Diagnostics</h2>
      {groups.length === 0 && <p class="notice good">No problems: every skill is as it should be.</p>}
      {groups.map((group) => (
        <Group key={group.severity} group={group} owners={byFile} />
      ))}
    </section>
  );
}

interface GroupProps {
  readonly group: SeverityGroup;
  readonly owners: ReadonlyMap<string, DoctorOutput['owners'][number]>;
}

function Group({ group, owners }: GroupProps) {
  const [showsAll, setShowsAll] = useState(false);
  const { severity, tone, one, diagnostics } = group;
  const shown = showsAll ? diagnostics : diagnostics.slice(0, few);
  return (
    <details class="card health-group" open={severity !== 'info'}>
      <summary>
        <span class={`badge ${tone}`}>{counted(diagnostics.length, one)}</span>
      </summary>
      <ul class="health-diagnostics" aria-label={`${one}s`}>
        {shown.map((found, place) => (
          <li key={place}>
            <p>
              {bdi(message(found.message, longestFinding))} <span class="quiet mono">{found.code}</span>
            </p>
            <p class="mono">
              <Where found={found} owner={owners.get(found.file)} />
            </p>
            <p class="quiet">{bdi(message(found.remedy, longestFinding))}</p>
          </li>
        ))}
      </ul>
      {shown.length < diagnostics.length && (
        <button type="button" onClick={() => setShowsAll(true)}>
          Show all {counted(diagnostics.length, one)}
        </button>
      )}
    </details>
  );
}

interface WhereProps {
  readonly found: SeverityGroup['diagnostics'][number];
  readonly owner: DoctorOutput['owners'][number] | undefined;
}

/** The place of a diagnostic: a link to the line, where the file belongs to a skill or kept one from being used. */
function Where({ found, owner }: WhereProps) {
  const text = <bdi>{place(whereOf(found), longestFinding)}</bdi>;
  const isSkipped = owner === undefined && found.severity === 'error' && may('edit');
  const mend = isSkipped ? mendHref(found.file, found.line) : null;
  const href = owner === undefined ? mend : placeHref(owner.skill, owner.path, found.line);
  return href === null ? <span class="quiet">{text}</span> : <a href={href}>{text}</a>;
}

/** Caches and records kept on disk. */
export function Stores({ stores }: { readonly stores: HealthOutput['stores'] }) {
  return (
    <TableCard
      id="health-stores"
      title="Caches and records"
      rows={stores}
      empty="Nothing is stored on disk yet."
      columns={[
        { title: 'What', show: (store) => words(store.what) },
        { title: 'Folder', show: (store) => path(store.path) },
        { title: 'Files', show: ({ files }) => grouped(files), look: 'number' },
        { title: 'Size', show: ({ bytes }) => sizeInWords(bytes), look: 'number' },
      ]}
    />
  );
}

/** The address of this server for clients. */
const endpoint = new URL('mcp', location.href.replace(/#.*/, '')).href;

/** Clients connected over HTTP. */
export function Sessions({ sessions }: { readonly sessions: HealthOutput['sessions'] }) {
  return (
    <TableCard
      id="health-sessions"
      title="Sessions"
      rows={sessions}
      empty={
        <>
          No client is connected to this server. To connect one over HTTP:{' '}
          <code>repertoire setup --http {endpoint}</code>{' '}
          <CopyButton text={`repertoire setup --http ${endpoint}`} label="Copy the command" /> Clients that start a
          server of their own are not listed.
        </>
      }
      columns={[
        { title: 'Client', show: ({ client }) => words(client) },
        { title: 'Since', show: ({ since }) => moment(since) },
        { title: 'Last used', show: ({ lastUsed }) => moment(lastUsed) },
        { title: 'Working on', show: ({ busy }) => grouped(busy), look: 'number' },
      ]}
    />
  );
}
