import { useEffect, useRef, useState } from 'preact/hooks';
import type { VerifyResult } from '../../engine/operations/audit.ts';
import { ask } from '../api.ts';
import { foreign } from '../parts/foreign.ts';
import { Problem } from '../parts/notices.tsx';
import { verdictOf } from './verdict.ts';

type State = 'unasked' | 'checking' | VerifyResult | Error;

/** Checks that nothing in the log was changed, and says what was. */
export function Verify() {
  const [state, setState] = useState<State>('unasked');
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const check = (): void => {
    setState('checking');
    verification(stop.current.signal).then(setState, (error: Error) => stop.current.signal.aborted || setState(error));
  };
  return (
    <div class="activity-verify">
      <button type="button" disabled={state === 'checking'} onClick={check}>
        Verify the chain
      </button>
      <div role="status">
        {state === 'checking' && <p class="quiet">Checking every record …</p>}
        {typeof state === 'object' && !(state instanceof Error) && <Result result={state} />}
      </div>
      {state instanceof Error && <Problem error={state} again={check} />}
    </div>
  );
}

async function verification(signal: AbortSignal): Promise<State> {
  const answer = await ask('audit', { action: 'verify' }, signal);
  return answer.what === 'verification' ? answer : 'unasked';
}

function Result({ result }: { readonly result: VerifyResult }) {
  const { tone, title, lines } = verdictOf(result);
  return (
    <div class={`notice ${tone}`}>
      <p>
        <strong>{title}</strong>
      </p>
      <ul class="activity-verdict">
        {lines.map((line) => (
          <li key={line}>
            <bdi>{foreign(line)}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}
