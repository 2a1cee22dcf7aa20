import type { HealthOutput } from '../../engine/operations/health.ts';
import { sizeInWords } from '../../kernel/quantities.ts';
import { counted, grouped } from '../../kernel/text.ts';
import { type Fact, Facts } from '../parts/facts.tsx';
import { foreign } from '../parts/foreign.ts';
import { moment } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { lastingInWords, watcherInWords } from './words.ts';

/** The program itself. */
export function Server({ health }: { readonly health: HealthOutput }) {
  const { version, node, pid, startedAt, memoryBytes } = health;
  return (
    <section class="card health-card" aria-labelledby="health-server">
      <h2 id="health-server">Server</h2>
      <Facts
        label="Server"
        facts={[
          { name: 'Version', value: foreign(version) },
          { name: 'Node', value: foreign(node) },
          { name: 'Process', value: pid },
          { name: 'Memory', value: sizeInWords(memoryBytes) },
          ...(startedAt === null
            ? []
            : [{ name: 'Started', value: `${moment(startedAt)} (${lastingInWords(startedAt, Date.now())} ago)` }]),
          ...watcherFacts(health.watcher),
        ]}
      />
    </section>
  );
}

/** How changes on disk are noticed; only a server that goes on watches. */
function watcherFacts(watcher: HealthOutput['watcher']): readonly Fact[] {
  if (watcher === null) return [];
  const { tone, text, more } = watcherInWords(watcher);
  const { lookedAt } = watcher;
  return [
    {
      name: 'Watcher',
      value: (
        <>
          <span class={`badge ${tone}`}>{text}</span> {more}
        </>
      ),
    },
    ...(lookedAt === null ? [] : [{ name: 'Last scan', value: moment(lookedAt) }]),
  ];
}

/** What was found, in numbers. */
export function Summary({ summary }: { readonly summary: HealthOutput['summary'] }) {
  const { skills, visible, errors, warnings, notes } = summary;
  return (
    <p class="row health-summary" role="status">
      <a href={hrefOf('skills')}>{counted(skills, 'skill')}</a>
      {visible !== skills && <span class="quiet">{grouped(visible)} visible</span>}
      <span class={`badge ${errors > 0 ? 'bad' : 'good'}`}>{counted(errors, 'error')}</span>
      <span class={`badge ${warnings > 0 ? 'warn' : ''}`}>{counted(warnings, 'warning')}</span>
      <span class="badge">{counted(notes, 'note')}</span>
    </p>
  );
}
