import { useEffect, useRef, useState } from 'preact/hooks';
import { isLive } from '../live.ts';

/** Goes up at this interval while somebody looks at the page, and when they come back to it; never, for null. */
export function useTick(everyMs: number | null): number {
  const [tick, setTick] = useState(0);
  useEffect(() => {
    if (everyMs === null) return;
    const look = (): void => {
      if (document.visibilityState === 'visible') setTick((before) => before + 1);
    };
    const timer = setInterval(look, everyMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [everyMs]);
  return tick;
}

/** The same value, but it changes at most this often: news that come in a flood are looked at together. */
export function useCalm<T>(value: T, pauseMs: number): T {
  const [calm, setCalm] = useState(value);
  const last = useRef(0);
  useEffect(() => {
    if (Object.is(value, calm)) return;
    const timer = setTimeout(
      () => {
        last.current = Date.now();
        setCalm(value);
      },
      Math.max(0, last.current + pauseMs - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [value, calm, pauseMs]);
  return calm;
}

/** Goes up when the connection is there again after it was lost: something may have been missed. */
export function useReturns(): number {
  const state = useRef({ wasLost: false, returns: 0 });
  const { current } = state;
  if (!isLive.value) current.wasLost = true;
  else if (current.wasLost) state.current = { wasLost: false, returns: current.returns + 1 };
  return state.current.returns;
}
