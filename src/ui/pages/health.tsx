import { useState } from 'preact/hooks';
import type { HealthOutput } from '../../engine/operations/health.ts';
import { ask } from '../api.ts';
import { IndexState, LogTail, Server, Summary } from '../health/server.tsx';
import { Diagnostics, Roots, Sessions, Stores } from '../health/tables.tsx';
import { revisions } from '../live.ts';
import { FollowSwitch, Ready } from '../parts/elements.tsx';
import { useCalm, useLoaded, useTick } from '../parts/hooks.ts';

const pauseMs = 1000;
/** The log is looked at more often than the rest would need. */
const [oftenMs, seldomMs] = [5000, 10_000];

/** How the server is doing, and what it has noticed. */
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
      <div class="row health-head">
        <h1>Health</h1>
        <button type="button" onClick={again}>
          Refresh
        </button>
      </div>
      <Ready loaded={health}>{(value) => <State health={value} follows={follows} setFollows={setFollows} />}</Ready>
      <Ready loaded={doctor}>{(value) => <Diagnostics diagnostics={value.diagnostics} />}</Ready>
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
      <Summary summary={health.summary} />
      <div class="health-cards">
        <Server health={health} />
        <IndexState index={health.index} />
      </div>
      <Roots roots={health.roots} />
      <div class="health-cards">
        <Stores stores={health.stores} />
        <Sessions sessions={health.sessions} />
      </div>
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
