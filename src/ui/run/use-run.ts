import { useEffect, useRef, useState } from 'preact/hooks';
import { createPlainOutput } from '../../kernel/plain-output.ts';
import type { InputOf } from '../../web/operations.ts';
import { cancelRun, runTool } from '../api.ts';
import { after, noRun, type RunState } from './state.ts';

/** A tool that produces much must not have the page drawn anew for every line. */
const drawEveryMs = 60;

export interface RunControl {
  readonly state: RunState;
  readonly start: (input: InputOf<'run'>) => void;
  readonly cancel: () => void;
}

/** A run, from the button to the end. Whoever leaves the page ends it. */
export function useRun(): RunControl {
  const [state, setState] = useState<RunState>(noRun);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const start = (input: InputOf<'run'>): void => {
    stop.current?.abort();
    const mine = new AbortController();
    stop.current = mine;
    const draw = (now: RunState): void => {
      if (!mine.signal.aborted) setState((before) => ({ ...now, isCancelling: before.isCancelling }));
    };
    setState({ ...noRun, phase: 'running', startedAt: performance.now() });
    void follow(input, mine.signal, draw);
  };
  const cancel = (): void => {
    if (state.key === null) return;
    setState({ ...state, isCancelling: true });
    cancelRun(state.key).catch(() => setState((before) => ({ ...before, isCancelling: false })));
  };
  return { state, start, cancel };
}

async function follow(input: InputOf<'run'>, signal: AbortSignal, draw: (state: RunState) => void): Promise<void> {
  const cleaners = { stdout: createPlainOutput(), stderr: createPlainOutput() };
  let now: RunState = { ...noRun, phase: 'running', startedAt: performance.now() };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const drawSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      draw(now);
    }, drawEveryMs);
  };
  try {
    for await (const event of runTool(input, signal)) {
      now = after(now, event, cleaners);
      drawSoon();
    }
    if (now.phase === 'running') now = { ...now, phase: 'ended', error: new Error(brokenOff) };
  } catch (error) {
    now = { ...now, phase: 'ended', error: error as Error };
  }
  clearTimeout(timer);
  draw(now);
}

const brokenOff = 'The connection to the server was lost, so its outcome is not known here. See the activity.';
