import { useEffect, useRef, useState } from 'preact/hooks';

export interface Typed {
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
