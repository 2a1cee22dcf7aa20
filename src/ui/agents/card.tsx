import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { counted, grouped } from '../../core/text/text.ts';
import type { AgentRow } from '../../engine/operations/machine/agents.ts';
import type { SetupOutput } from '../../engine/operations/machine/setup.ts';
import { act } from '../api.ts';
import { useAction } from '../parts/action.ts';
import { Problem } from '../parts/elements.tsx';
import { Icon } from '../parts/icon.tsx';
import { foreign, message, place, type Said } from '../parts/words.ts';
import { may, withheld } from '../session.ts';
import { Checked, Planned } from './setup.tsx';
import { Sight } from './sight.tsx';

const standings: Readonly<Record<AgentRow['connected'], Said>> = {
  yes: { tone: 'good', text: 'connected' },
  no: { tone: '', text: 'not connected' },
  otherwise: { tone: 'warn', text: 'connected differently' },
  unknown: { tone: 'bad', text: 'not known' },
};

interface AgentCardProps {
  readonly agent: AgentRow;
  /** The number of all skills. */
  readonly skills: number;
  readonly isChosen: boolean;
  readonly onChange: () => void;
}

/** One agent: its state, what it sees, and what can be done about it. */
export function AgentCard({ agent, skills, isChosen, onChange }: AgentCardProps) {
  const { id, name, detectedBy, connected, file, problem, sees, known } = agent;
  const { tone, text } = standings[connected];
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (isChosen) title.current?.focus();
  }, [isChosen]);
  return (
    <li class={isChosen ? 'card agents-card chosen' : 'card agents-card'}>
      <div class="row">
        <h2 ref={title} tabIndex={-1}>
          {name}
        </h2>
        <span class={`badge ${tone}`}>{text}</span>
      </div>
      {problem !== null && (
        <p class="notice warn">
          <bdi>{message(problem)}</bdi>
        </p>
      )}
      {sees === null ? (
        <p class="quiet">
          Nobody has seen yet which skills it reads by itself. Connected, it gets all {grouped(skills)}.
        </p>
      ) : (
        <Sees sees={sees} skills={skills} connected={connected} />
      )}
      <Steps agent={agent} onChange={onChange} />
      <details class="agents-more">
        <summary>Details</summary>
        <p class="quiet">
          {detectedBy !== null && (
            <>
              Found by <bdi class="mono">{place(detectedBy)}</bdi>.{' '}
            </>
          )}
          {file !== null && (
            <>
              Its file is <bdi class="mono">{place(file)}</bdi>.{' '}
            </>
          )}
          {known !== null && <>What is known of it: {foreign(known)}.</>}
        </p>
        {sees !== null && <Sight id={id} name={name} />}
      </details>
    </li>
  );
}

interface SeesProps {
  readonly sees: NonNullable<AgentRow['sees']>;
  readonly skills: number;
  readonly connected: AgentRow['connected'];
}

/** The share of the skills that it sees by itself, and through us. */
function Sees({ sees: { alone, cut, unknown, served, lost }, skills, connected }: SeesProps) {
  const isServed = connected === 'yes' || connected === 'otherwise';
  return (
    <>
      <meter
        class="meter"
        aria-label="Skills that it sees"
        aria-valuetext={`${alone + (isServed ? served : 0)} of ${skills}`}
        max={Math.max(1, skills)}
        value={alone + (isServed ? served : 0)}
      />
      <ul class="agents-facts">
        <li>
          <strong>{grouped(alone)}</strong> of {counted(skills, 'skill')} by itself
          {cut > 0 && `, ${grouped(cut)} of them cut short`}
        </li>
        {isServed && (
          <li>
            <strong>{grouped(served)}</strong> through Repertoire
          </li>
        )}
        {lost > 0 && (
          <li class="agents-lost">
            <Icon name="warn" /> <strong>{grouped(lost)}</strong> it does not see until it is connected
          </li>
        )}
        {unknown > 0 && <li class="quiet">{grouped(unknown)} may be cut short or missing, depending on the model</li>}
      </ul>
    </>
  );
}

type Shown = { readonly what: 'connect' | 'remove' | 'test'; readonly output: SetupOutput };

/** The buttons: first what would change, then doing it. */
function Steps({ agent: { id, name, connected }, onChange }: Pick<AgentCardProps, 'agent' | 'onChange'>) {
  const [shown, setShown] = useState<Shown | null>(null);
  const { isBusy, error, run } = useAction();
  if (!may('setup')) {
    return connected === 'yes' ? null : (
      <p class="quiet">
        {withheld()}. At the machine: <code>repertoire setup {id}</code>
      </p>
    );
  }
  const look = (what: 'connect' | 'remove') =>
    run(async () => {
      setShown(null);
      const output = await act('setup', { agents: [id], dryRun: true, remove: what === 'remove' });
      setShown({ what, output });
    });
  const test = () =>
    run(async () => {
      setShown(null);
      setShown({ what: 'test', output: await act('setup', { agents: [id], check: true }) });
    });
  const apply = (what: 'connect' | 'remove') =>
    run(async () => {
      const output = await act('setup', { agents: [id], remove: what === 'remove' });
      setShown({ what, output });
      onChange();
    });
  const isIn = connected === 'yes' || connected === 'otherwise';
  return (
    <>
      <div class="row">
        {connected !== 'yes' && (
          <button type="button" class="main" disabled={isBusy} onClick={() => void look('connect')}>
            <Icon name="plug" />
            {connected === 'otherwise' ? 'Bring up to date' : 'Connect'} <span class="hidden">{name}</span>
          </button>
        )}
        {isIn && (
          <button type="button" disabled={isBusy} onClick={() => void test()}>
            <Icon name="run" />
            Test <span class="hidden">{name}</span>
          </button>
        )}
        {isIn && (
          <button type="button" disabled={isBusy} onClick={() => void look('remove')}>
            <Icon name="trash" />
            Disconnect <span class="hidden">{name}</span>
          </button>
        )}
        {isBusy && <span class="quiet">Working …</span>}
      </div>
      {error && <Problem error={error} />}
      <div aria-live="polite">
        {shown?.what === 'test' && shown.output.checks?.map((one) => <Checked key={one.file} checked={one} />)}
        {shown !== null &&
          shown.what !== 'test' &&
          shown.output.agents.map((report) => (
            <Planned
              key={report.id}
              report={report}
              isBusy={isBusy}
              isRemoval={shown.what === 'remove'}
              apply={() => void apply(shown.what === 'remove' ? 'remove' : 'connect')}
              leave={() => setShown(null)}
            />
          ))}
      </div>
    </>
  );
}
