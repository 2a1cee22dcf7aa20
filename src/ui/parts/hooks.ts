import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isLive } from '../live.ts';

/** So near to the end, in pixels, counts as being there. */
const near = 30;

/** For a box that grows: whoever is at its end stays there, and whoever has scrolled up to read is left alone. */
export function useAtEnd<E extends HTMLElement>(content: unknown) {
  const box = useRef<E>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (isAtEnd.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [content]);
  const onScroll = (): void => {
    const { current: at } = box;
    if (at !== null) isAtEnd.current = at.scrollHeight - at.scrollTop - at.clientHeight < near;
  };
  return { ref: box, onScroll };
}

/** Something that is being fetched, or was. What was there before stays until there is something newer. */
export interface Loaded<T> {
  readonly value: T | null;
  readonly error: Error | null;
  readonly isLoading: boolean;
  readonly again: () => void;
}

/** Fetches whenever the key changes. Give whatever the answer depends on, revisions of live data included, as the key. */
export function useLoaded<T>(fetchIt: (signal: AbortSignal) => Promise<T>, key: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'again'>>({ value: null, error: null, isLoading: true });
  const [round, setRound] = useState(0);
  const latest = useRef(fetchIt);
  latest.current = fetchIt;
  const text = JSON.stringify([...key, round]);
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    latest.current(stop.signal).then(
      (value) => stop.signal.aborted || setState({ value, error: null, isLoading: false }),
      (error: Error) => stop.signal.aborted || setState((before) => ({ ...before, error, isLoading: false })),
    );
    return () => stop.abort();
  }, [text]);
  return { ...state, again: () => setRound((before) => before + 1) };
}

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

interface Typed {
  readonly text: string;
  readonly setText: (text: string) => void;
}

/** What is being typed into a box whose value stands in the address: it is sent there after a short pause. */
export function useTyped(value: string, send: (text: string) => void, pauseMs: number): Typed {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    // The address was changed by somebody else: by "back", or by a link.
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  useEffect(() => {
    const timer = setTimeout(() => {
      const now = text.trim();
      if (now === sent.current) return;
      sent.current = now;
      send(now);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return { text, setText };
}
