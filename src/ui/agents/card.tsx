import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { durationInWords } from '../../core/text/quantities.ts';
import { counted, grouped } from '../../core/text/text.ts';
import type { AgentRow } from '../../engine/operations/machine/agents.ts';
import type { AgentSkill } from '../../engine/operations/machine/doctor.ts';
import type { SetupOutput } from '../../engine/operations/machine/setup.ts';
import { act, ask } from '../api.ts';
import { CopyButton } from '../parts/copy.tsx';
import { Patch } from '../parts/diff.tsx';
import { bdi, Problem, Ready } from '../parts/elements.tsx';
import { useAction, useLoaded } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { foreign, foreignCut, message, place, type Said } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { may, withheld } from '../session.ts';

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
      {problem !== null && <p class="notice warn">{bdi(message(problem))}</p>}
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
          {detectedBy !== null && <>Found by {bdi(place(detectedBy), 'mono')}. </>}
          {file !== null && <>Its file is {bdi(place(file), 'mono')}. </>}
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

const few = 50;
const longest = 300;

/** Reasons why an agent does not see skills by itself, or not whole; asked for when somebody wants to know. */
function Sight({ id, name }: { readonly id: string; readonly name: string }) {
  const [isAsked, setIsAsked] = useState(false);
  if (isAsked) return <Reasons id={id} name={name} />;
  return (
    <button type="button" onClick={() => setIsAsked(true)}>
      What {name} does not see by itself, and why
    </button>
  );
}

function Reasons({ id, name }: { readonly id: string; readonly name: string }) {
  const loaded = useLoaded((signal) => ask('doctor', { agent: id }, signal), [id]);
  const [shown, setShown] = useState(few);
  return (
    <Ready loaded={loaded}>
      {({ agent }) => {
        const skipped = agent?.skipped ?? [];
        const some = (agent?.skills ?? []).filter(({ sees }) => sees !== 'yes');
        return (
          <>
            {some.length + skipped.length === 0 && <p class="quiet">{name} sees every skill by itself.</p>}
            <ul class="agents-reasons" aria-label={`What ${name} does not see by itself`}>
              {some.slice(0, shown).map((skill) => (
                <Reason key={skill.file} skill={skill} />
              ))}
              {skipped.slice(0, few).map(({ file, reason }) => (
                <li key={file}>
                  {bdi(place(file, longest), 'mono')} <span class="quiet">{foreignCut(reason, longest)}</span>
                </li>
              ))}
            </ul>
            {shown < some.length && (
              <button type="button" onClick={() => setShown(shown + 10 * few)}>
                Show more of {counted(some.length, 'skill')}
              </button>
            )}
          </>
        );
      }}
    </Ready>
  );
}

function Reason({ skill: { fullName, reason, sees } }: { readonly skill: AgentSkill }) {
  return (
    <li>
      <a href={hrefOf('skill', [fullName])}>{bdi(foreignCut(fullName, longest))}</a>{' '}
      {sees !== 'no' && <span class="badge">{sees === 'cut' ? 'cut short' : 'not known'}</span>}{' '}
      <span class="quiet">{bdi(foreignCut(reason, longest))}</span>
    </li>
  );
}

type Report = SetupOutput['agents'][number];

interface PlannedProps {
  readonly report: Report;
  readonly isBusy: boolean;
  readonly isRemoval: boolean;
  readonly apply: () => void;
  readonly leave: () => void;
}

/** The change to the file of an agent: before it is made, with the button that makes it, and once it is. */
function Planned({ report, isBusy, isRemoval, apply, leave }: PlannedProps) {
  const { name, done, diff, backup, problem, snippet, notes, approval, file } = report;
  if (problem !== null) {
    return (
      <div class="notice bad">
        <p>{bdi(message(problem))}</p>
        {snippet !== null && <ToCopy title={`Put this into ${file ?? 'its file'} yourself`} text={snippet} />}
      </div>
    );
  }
  if (done) {
    return (
      <div class="notice good">
        <p>
          {isRemoval ? `${name} is disconnected.` : `${name} is connected. Restart it, and it has the skills.`}
          {backup !== null && <> The file as it was: {bdi(place(backup), 'mono')}</>}
        </p>
        <Notes notes={notes} />
        {!isRemoval && approval?.snippet != null && (
          <>
            <p>{foreign(approval.asks)}</p>
            <ToCopy
              title={`To have it ask less, put this into ${approval.file ?? 'its file'}`}
              text={approval.snippet}
            />
          </>
        )}
      </div>
    );
  }
  if (diff === null) return <p class="notice">Nothing has to change.</p>;
  return (
    <div class="agents-plan">
      <p>
        This is what {isRemoval ? 'is removed from' : 'is written to'} {bdi(place(file ?? ''), 'mono')}. The file as it
        is now is kept beside it.
      </p>
      <Patch label={`Change to the file of ${name}`} text={diff} />
      <Notes notes={notes} />
      <div class="row">
        <button type="button" class="main" disabled={isBusy} onClick={apply}>
          <Icon name="check" />
          Apply
        </button>
        <button type="button" onClick={leave}>
          Cancel
        </button>
      </div>
    </div>
  );
}

function Notes({ notes }: { readonly notes: readonly string[] }) {
  return (
    <>
      {notes.map((note) => (
        <p key={note} class="quiet">
          {bdi(message(note))}
        </p>
      ))}
    </>
  );
}

function ToCopy({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div class="agents-copy">
      <p class="row">
        <span>{place(title)}:</span>
        <CopyButton text={text} label="Copy these lines" />
      </p>
      <pre>{foreign(text)}</pre>
    </div>
  );
}

/** The result of connecting as the agent does. */
function Checked({ checked }: { readonly checked: NonNullable<SetupOutput['checks']>[number] }) {
  const { name, works, startMs, tools, skills, loaded, reason, remedy, pending, notes } = checked;
  const facts = [
    ...(startMs === null ? [] : [`started in ${durationInWords(startMs)}`]),
    ...(tools === null ? [] : [counted(tools, 'tool')]),
    ...(skills === null ? [] : [counted(skills, 'skill')]),
    ...(loaded === null ? [] : [`loaded ${foreign(loaded)} as a trial`]),
  ];
  return (
    <div class={works ? 'notice good' : 'notice bad'}>
      <p class="notice-title">
        <Icon name={works ? 'check' : 'error'} />
        <span>
          {works ? `It works as ${name} starts it` : `It does not work as ${name} starts it`}
          {facts.length > 0 && `: ${facts.join(', ')}`}.
        </span>
      </p>
      <Notes notes={[reason, remedy, pending, ...notes].filter((note) => note !== null)} />
    </div>
  );
}
