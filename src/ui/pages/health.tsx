import { useState } from 'preact/hooks';
import { sizeInWords } from '../../core/text/quantities.ts';
import { counted, grouped } from '../../core/text/text.ts';
import type { HealthOutput, LogLine } from '../../engine/operations/machine/health.ts';
import { ask } from '../api.ts';
import { Diagnostics, Roots, Sessions, Stores } from '../health/tables.tsx';
import { foldedLines, indexInWords, lastingInWords, toneOfLevel, watcherInWords } from '../health/words.ts';
import { revisions } from '../live.ts';
import { bdi, type Fact, Facts, FollowSwitch, Ready } from '../parts/elements.tsx';
import { useAtEnd, useCalm, useLoaded, useTick } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { Card } from '../parts/table.tsx';
import { foreign, foreignCut, moment, place } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { runsServer } from '../session.ts';

/** Facts about the server process. */
function Server({ health }: { readonly health: HealthOutput }) {
  const { version, node, pid, startedAt, memoryBytes } = health;
  return (
    <Card id="health-server" title="Server">
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
    </Card>
  );
}

/** Facts about the watcher; only a server that keeps running watches. */
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

/** Counts of skills and diagnostics. */
function Summary({ summary }: { readonly summary: HealthOutput['summary'] }) {
  const { skills, visible, quarantined, errors, warnings, notes } = summary;
  return (
    <p class="row health-summary" role="status">
      <a href={hrefOf('skills')}>{counted(skills, 'skill')}</a>
      {visible !== skills && <span class="quiet">{grouped(visible)} visible</span>}
      {quarantined > 0 && <span class="badge bad">{grouped(quarantined)} in quarantine</span>}
      <span class={`badge ${errors > 0 ? 'bad' : 'good'}`}>{counted(errors, 'error')}</span>
      <span class={`badge ${warnings > 0 ? 'warn' : ''}`}>{counted(warnings, 'warning')}</span>
      <span class="badge">{counted(notes, 'note')}</span>
    </p>
  );
}

/** The state of the search index. */
function IndexState({ index }: { readonly index: HealthOutput['index'] }) {
  const { ready, total, embedder, path, bytes } = index;
  const { tone, text, more } = indexInWords(index);
  return (
    <Card id="health-index" title="Index">
      <meter
        class="meter"
        aria-label="Skills in the index"
        aria-valuetext={more}
        max={Math.max(1, total)}
        value={ready}
      />
      <Facts
        label="Index"
        facts={[
          {
            name: 'State',
            value: (
              <>
                <span class={`badge ${tone}`}>{text}</span> {more}
              </>
            ),
          },
          { name: 'Embedder', value: <bdi>{foreign(embedder)}</bdi> },
          {
            name: 'File',
            value: path === null ? 'not on disk yet' : <bdi class="mono">{place(path)}</bdi>,
          },
          ...(bytes === null ? [] : [{ name: 'Size', value: sizeInWords(bytes) }]),
        ]}
      />
    </Card>
  );
}

const longestLine = 4000;

/** The end of the log. A reader who has scrolled up stays there; otherwise the view follows new lines. */
function LogTail({ log }: { readonly log: readonly LogLine[] }) {
  const following = useAtEnd<HTMLElement>(log);
  if (!runsServer()) return <p class="quiet">The log is visible only to those who run the server.</p>;
  if (log.length === 0) {
    return (
      <p class="quiet">
        The log is empty. It shows more with <code>--log-level debug</code>.
      </p>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section class="health-log" {...following} tabIndex={0} aria-label="Lines of the log">
      <ol>
        {foldedLines(log).map(({ time, level, message, times }, at) => (
          <li key={at}>
            <time dateTime={time} title={moment(time)}>
              {new Date(time).toLocaleTimeString()}
            </time>{' '}
            <span class={`badge ${toneOfLevel(level)}`}>{foreignCut(level, 20)}</span>{' '}
            {bdi(place(message, longestLine))}
            {times > 1 && <span class="quiet"> {times} times</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

const pauseMs = 1000;
/** Intervals of reloading; the shorter one is for following the log, and the rest would not need it. */
const [oftenMs, seldomMs] = [5000, 10_000];

/** The health page: the state of the server, and its diagnostics. */
export function Health() {
  const [follows, setFollows] = useState(true);
  const skills = useCalm(revisions.skills.value, pauseMs);
  const tick = useTick(follows ? oftenMs : seldomMs);
  const health = useLoaded((signal) => ask('health', {}, signal), [skills, tick]);
  const doctor = useLoaded((signal) => ask('doctor', {}, signal), [skills]);
  const again = (): void => {
    health.again();
    doctor.again();
  };
  return (
    <>
      <div class="page-head">
        <h1>Health</h1>
        <button type="button" onClick={again}>
          <Icon name="refresh" />
          Refresh
        </button>
      </div>
      {health.value !== null && <Summary summary={health.value.summary} />}
      <Ready loaded={doctor}>
        {({ diagnostics, owners }) => <Diagnostics diagnostics={diagnostics} owners={owners} />}
      </Ready>
      <Ready loaded={health}>{(value) => <State health={value} follows={follows} setFollows={setFollows} />}</Ready>
    </>
  );
}

interface StateProps {
  readonly health: HealthOutput;
  readonly follows: boolean;
  readonly setFollows: (follows: boolean) => void;
}

function State({ health, follows, setFollows }: StateProps) {
  return (
    <>
      <h2>Server and index</h2>
      <div class="health-cards">
        <Server health={health} />
        <IndexState index={health.index} />
      </div>
      <Roots roots={health.roots} />
      <Stores stores={health.stores} />
      <Sessions sessions={health.sessions} />
      <section class="card health-card" aria-labelledby="health-log">
        <div class="row health-head">
          <h2 id="health-log">Log</h2>
          <FollowSwitch isOn={follows} change={setFollows} />
        </div>
        <LogTail log={health.log} />
      </section>
    </>
  );
}
