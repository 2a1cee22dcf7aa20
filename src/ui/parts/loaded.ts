import { useEffect, useRef, useState } from 'preact/hooks';

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
