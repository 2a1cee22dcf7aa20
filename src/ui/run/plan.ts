import { useEffect, useState } from 'preact/hooks';
import type { DryRun } from '../../engine/running/types.ts';
import { ApiError, runTool } from '../api.ts';
import { revisions } from '../live.ts';
import { type Loaded, useLoaded } from '../parts/loaded.ts';

const pauseMs = 350;

export interface Wanted {
  readonly target: string;
  /** JSON; null where they are not yet right. */
  readonly params: string | null;
  readonly instance: string;
}

/** What a run would do, asked for anew when somebody has stopped typing, and when skills or grants change. */
export function usePlan(wanted: Wanted): Loaded<DryRun | null> {
  const { target, params, instance } = useSettled(wanted);
  return useLoaded(
    async (signal) => {
      if (params === null) return null;
      return planOf({ target, params, instance }, signal);
    },
    [target, params, instance, revisions.grants.value, revisions.skills.value],
  );
}

/** Asked for as a run is: there, being refused is an answer like others, and not a failure of the request. */
async function planOf(wanted: Wanted, signal: AbortSignal): Promise<DryRun | null> {
  for await (const event of runTool({ ...inputOf(wanted), dryRun: true }, signal)) {
    if (event.event === 'plan') return event.plan;
    if (event.event === 'error') throw new ApiError(0, event.error);
  }
  return null;
}

export function inputOf({ target, params, instance }: Wanted) {
  return { target, params: params ?? '{}', ...(instance !== '' && { instance }) };
}

/** The same after a pause in which nothing has changed. */
function useSettled(now: Wanted): Wanted {
  const [settled, setSettled] = useState(now);
  const text = JSON.stringify(now);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Wanted), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
