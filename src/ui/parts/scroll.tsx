import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Something wide in a box of its own. Where it does not fit, the box can be reached and scrolled by keyboard. */
export function Scroll({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  const measure = () => {
    const { current } = box;
    if (current === null) return;
    const isWide = current.scrollWidth > current.clientWidth;
    // The box keeps the focus that it has.
    setScrolls((before) => isWide || (before && document.activeElement === current));
  };
  // What is in it may become wider while the box does not.
  useLayoutEffect(measure);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(measure);
    if (box.current !== null) watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  const reachable = scrolls ? { tabIndex: 0, role: 'group' as const, 'aria-label': label } : {};
  return (
    <div class="scroll" ref={box} {...reachable}>
      {children}
    </div>
  );
}
