import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { entryNow } from '../history.ts';
import { isLive } from '../live.ts';

/** Pixels from the end that count as being there. */
const near = 30;

/** Keeps a growing box scrolled to its end; a reader who has scrolled up is left alone. */
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

/** Goes to where the reader was, once what was there is drawn again. */
export function useReturn(isDrawn: boolean): void {
  const entry = useRef(entryNow());
  useLayoutEffect(() => {
    const { current: own } = entry;
    if (!isDrawn || !own.isReturn || own !== entryNow()) return;
    const { scrollY: place } = own;
    own.isReturn = false;
    scrollTo(0, place);
  }, [isDrawn]);
}

/** Data that is being fetched, or was. The previous data stays until there is something newer. */
export interface Loaded<T> {
  readonly value: T | null;
  readonly error: Error | null;
  readonly isLoading: boolean;
  readonly again: () => void;
}

/**
 * Fetches whenever the key changes. The key must hold everything the answer depends on, revisions of live data
 * included.
 */
export function useLoaded<T>(fetchIt: (signal: AbortSignal) => Promise<T>, key: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'again'>>({ value: null, error: null, isLoading: true });
  const [round, setRound] = useState(0);
  const latest = useRef(fetchIt);
  latest.current = fetchIt;
  const text = JSON.stringify([...key, round]);
  // A layout effect asks at once; any other one would wait for the next frame.
  useLayoutEffect(() => {
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

export interface Action {
  readonly isBusy: boolean;
  readonly error: Error | null;
  /** Runs the work, unless some is under way; returns whether that went well. */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** An action that a button takes on the server. */
export function useAction(): Action {
  const [state, setState] = useState<Omit<Action, 'run'>>({ isBusy: false, error: null });
  return {
    ...state,
    async run(work) {
      if (state.isBusy) return false;
      setState({ isBusy: true, error: null });
      try {
        await work();
        setState({ isBusy: false, error: null });
        return true;
      } catch (error) {
        setState({ isBusy: false, error: error as Error });
        return false;
      }
    },
  };
}

/**
 * A counter that goes up at this interval while the page is visible, and when it becomes visible again; never, for
 * null.
 */
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

/** The value, throttled to change at most this often: events that come in a flood are handled together. */
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

/** A counter that goes up when a lost connection is back: something may have been missed. */
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

/** The text being typed into a box whose value is in the address: it is sent there after a short pause. */
export function useTyped(value: string, send: (text: string) => void, pauseMs: number): Typed {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useLayoutEffect(() => {
    // The address was changed from outside: by "back", or by a link.
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  useLayoutEffect(() => {
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
