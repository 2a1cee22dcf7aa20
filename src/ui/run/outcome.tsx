import type { ExecutionResult } from '../../engine/running/types.ts';
import { foreign, foreignCut } from '../parts/foreign.ts';
import { LongText } from '../parts/long-text.tsx';
import { Problem } from '../parts/notices.tsx';
import { hrefOf } from '../route.ts';
import { GrantHelp } from './grant-help.tsx';
import { outcomeOf } from './outcome-words.ts';
import type { RunState } from './state.ts';

const longest = 4000;

/** How it ended, and what to do about it. Whoever listens hears it. */
export function Outcome({ state: { result, error }, skill }: { readonly state: RunState; readonly skill: string }) {
  if (error !== null) return <Problem error={error} />;
  if (result === null) return null;
  const { tone, words } = outcomeOf(result);
  return (
    <div class={`notice ${tone}`}>
      <p>
        <strong>{words}</strong>
      </p>
      {result.message && (
        <p>
          <bdi>{foreignCut(result.message, longest)}</bdi>
        </p>
      )}
      {result.reason === 'denied' ? (
        <GrantHelp skill={skill} />
      ) : (
        result.hint && <p>{foreignCut(result.hint, longest)}</p>
      )}
      {result.notes.map((note) => (
        <p key={note} class="quiet">
          {foreignCut(note, longest)}
        </p>
      ))}
      <Denials result={result} />
    </div>
  );
}

/** What it tried and was refused while it ran. */
function Denials({ result: { denials, skill } }: { readonly result: ExecutionResult }) {
  if (denials.length === 0) return null;
  return (
    <>
      <p>It tried to reach what is not allowed:</p>
      <ul aria-label="Denials">
        {denials.map(({ what, detail }) => (
          <li key={`${what}:${detail}`}>
            {what}: <bdi class="mono">{foreignCut(detail, longest)}</bdi>
          </li>
        ))}
      </ul>
      <p>
        A skill may reach only hosts that its manifest asks for under <code>network</code> and that are granted.{' '}
        <a href={hrefOf('grants', [skill])}>See what {foreign(skill)} asks for</a>
      </p>
    </>
  );
}

/** The output as data, laid out to be read. */
export function ValueView({ value }: { readonly value: unknown }) {
  return (
    <section aria-labelledby="run-data">
      <h2 id="run-data">As data</h2>
      <LongText text={laidOut(value)} label="The output as data" />
    </section>
  );
}

function laidOut(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    return 'It is nested too deeply to be shown.';
  }
}
