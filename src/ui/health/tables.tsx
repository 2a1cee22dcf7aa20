import type { HealthOutput } from '../../engine/operations/health.ts';
import { sizeInWords } from '../../kernel/quantities.ts';
import { grouped } from '../../kernel/text.ts';
import { moment } from '../parts/words.ts';
import { path, Table, words } from './table.tsx';

/** What is kept on disk. */
export function Stores({ stores }: { readonly stores: HealthOutput['stores'] }) {
  return (
    <Table
      id="health-stores"
      title="Caches and records"
      rows={stores}
      empty="Nothing is stored on disk yet."
      columns={[
        { title: 'What', show: (store) => words(store.what) },
        { title: 'Folder', show: (store) => path(store.path) },
        { title: 'Files', show: ({ files }) => grouped(files), isNumber: true },
        { title: 'Size', show: ({ bytes }) => sizeInWords(bytes), isNumber: true },
      ]}
    />
  );
}

/** Who is connected over HTTP. */
export function Sessions({ sessions }: { readonly sessions: HealthOutput['sessions'] }) {
  return (
    <Table
      id="health-sessions"
      title="Sessions"
      rows={sessions}
      empty={
        <>
          No client is connected to this server. Connect one over HTTP with <code>repertoire setup --http URL</code>.
          Clients that start a server of their own are not listed.
        </>
      }
      columns={[
        { title: 'Client', show: ({ client }) => words(client) },
        { title: 'Since', show: ({ since }) => moment(since) },
        { title: 'Last used', show: ({ lastUsed }) => moment(lastUsed) },
        { title: 'Working on', show: ({ busy }) => grouped(busy), isNumber: true },
      ]}
    />
  );
}
