import { durationInWords } from '../../core/text/quantities.ts';
import { counted } from '../../core/text/text.ts';
import type { SetupOutput } from '../../engine/operations/machine/setup.ts';
import { CopyButton } from '../parts/copy.tsx';
import { Patch } from '../parts/diff.tsx';
import { Icon } from '../parts/icon.tsx';
import { foreign, message, place } from '../parts/words.ts';

type Report = SetupOutput['agents'][number];

interface PlannedProps {
  readonly report: Report;
  readonly isBusy: boolean;
  readonly isRemoval: boolean;
  readonly apply: () => void;
  readonly leave: () => void;
}

/** The change to the file of an agent: before it is made, with the button that makes it, and once it is. */
export function Planned({ report, isBusy, isRemoval, apply, leave }: PlannedProps) {
  const { name, done, diff, backup, problem, snippet, notes, approval, file } = report;
  if (problem !== null) {
    return (
      <div class="notice bad">
        <p>
          <bdi>{message(problem)}</bdi>
        </p>
        {snippet !== null && <ToCopy title={`Put this into ${file ?? 'its file'} yourself`} text={snippet} />}
      </div>
    );
  }
  if (done) {
    return (
      <div class="notice good">
        <p>
          {isRemoval ? `${name} is disconnected.` : `${name} is connected. Restart it, and it has the skills.`}
          {backup !== null && (
            <>
              {' '}
              The file as it was: <bdi class="mono">{place(backup)}</bdi>
            </>
          )}
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
        This is what {isRemoval ? 'is removed from' : 'is written to'} <bdi class="mono">{place(file ?? '')}</bdi>. The
        file as it is now is kept beside it.
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
          <bdi>{message(note)}</bdi>
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
export function Checked({ checked }: { readonly checked: NonNullable<SetupOutput['checks']>[number] }) {
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
