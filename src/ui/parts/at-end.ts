import { useLayoutEffect, useRef } from 'preact/hooks';

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
