import { durationInWords, sizeInWords } from '../../core/text/quantities.ts';
import type { AuditRow } from '../../engine/operations/running/audit.ts';
import { bdi, type Fact, Facts, LongText } from '../parts/elements.tsx';
import { foreign, foreignCut, fromHome, moment } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { runsServer } from '../session.ts';
import { callerOf, shortMoment, subjectOf, textOf } from './records.ts';

const longestText = 2000;

/** All fields that the log has of an execution. */
export function Record({ row }: { readonly row: AuditRow }) {
  return (
    <div class="activity-record">
      <Facts label="Record" facts={factsOf(row)} />
      <h3>{row.event === 'grant' ? 'Granted' : 'Parameters'}</h3>
      {runsServer() ? (
        <LongText text={textOf(row.parameters)} label="Parameters" />
      ) : (
        <p class="quiet">They are visible only to those who run the server.</p>
      )}
      <p>
        <a href={hrefOf('activity', [], { id: row.id })}>Link to this record</a>
      </p>
    </div>
  );
}

function factsOf(row: AuditRow): readonly Fact[] {
  const { durationMs, outputBytes, message, exitCode } = row;
  return [
    ...(message === null ? [] : [fact('Message', fromHome(message))]),
    { name: moments[row.event], value: moment(row.timestamp) },
    ...(row.operation === undefined ? [skillOf(row)] : [fact('Change', subjectOf(row))]),
    ...(isRun(row) ? ranIn(row) : []),
    fact('By', callerOf(row)),
    ...(exitCode === null ? [] : [fact('Exit code', exitCode)]),
    ...(durationMs === null ? [] : [fact('Duration', durationInWords(durationMs))]),
    ...(outputBytes === null ? [] : [fact('Output', sizeInWords(outputBytes))]),
    ...enforced(row.enforcement),
    ...(row.folder === '' ? [] : [fact('Folder', fromHome(row.folder)), mono('Digest of the files', row.digest)]),
    mono(isRun(row) ? 'Execution' : 'Id', row.id),
    mono('Record', row.seq),
    mono('Hash', row.hash),
  ];
}

const moments: Readonly<Record<AuditRow['event'], string>> = {
  start: 'Began',
  end: 'Ended',
  grant: 'Time',
  change: 'Time',
};

function isRun({ event }: AuditRow): boolean {
  return event === 'start' || event === 'end';
}

function skillOf({ skill }: AuditRow): Fact {
  const link = <a href={hrefOf('skill', [skill])}>{bdi(foreignCut(skill, longestText))}</a>;
  return { name: 'Skill', value: link };
}

function ranIn({ tool, runtime, unsafe }: AuditRow): readonly Fact[] {
  return [fact('Tool', tool), fact('Runtime', unsafe === true ? `${runtime}, without a sandbox` : runtime)];
}

/** The mechanisms that enforced the limits; a record without a sandbox has none. */
function enforced(enforcement: unknown): readonly Fact[] {
  const entries = Object.entries(Object(enforcement) as object);
  if (entries.length === 0) return [];
  return [
    {
      name: 'Enforced by',
      value: (
        <ul class="activity-enforced">
          {entries.map(([what, how]) => (
            <li key={what}>{bdi(foreignCut(`${what}: ${textOf(how)}`, longestText))}</li>
          ))}
        </ul>
      ),
    },
  ];
}

function fact(name: string, value: unknown): Fact {
  return { name, value: <bdi>{foreignCut(textOf(value), longestText)}</bdi> };
}

function mono(name: string, value: unknown): Fact {
  return { name, value: <bdi class="mono">{foreign(textOf(value))}</bdi> };
}

/** A time: briefly, and in full for those who point at it. */
export function Moment({ iso }: { readonly iso: string }) {
  return (
    <time dateTime={iso} title={moment(iso)} class="activity-time">
      {shortMoment(iso, new Date())}
    </time>
  );
}

/** A button that loads more, further back. */
export function More({ isLoading, more }: { readonly isLoading: boolean; readonly more: () => void }) {
  return (
    <button type="button" class="activity-more" disabled={isLoading} onClick={more}>
      Show older ones
    </button>
  );
}
