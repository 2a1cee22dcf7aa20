import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import type { Loaded } from './hooks.ts';
import { Icon, type IconName } from './icon.tsx';
import { foreign, foreignCut, message } from './words.ts';

/** A text of others as a piece of its own: which way it is written has no effect on the text around it. */
export function bdi(text: string, look?: string) {
  return <bdi class={look}>{text}</bdi>;
}

export interface Fact {
  readonly name: string;
  readonly value: ComponentChildren;
}

/** Names and their values, one below the other. */
export function Facts({ label, facts }: { readonly label: string; readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts" aria-label={label}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface Crumb {
  readonly href: string;
  readonly text: string;
}

/** The way to a page, from the top, as links. */
export function Crumbs({ label, way }: { readonly label: string; readonly way: readonly Crumb[] }) {
  return (
    <nav class="crumbs" aria-label={label}>
      {way.map(({ href, text }) => (
        <a key={href} href={href}>
          {bdi(foreignCut(text, 100))}
        </a>
      ))}
    </nav>
  );
}

/** The badge of a tool that changes nothing. Nobody checks that its author is right. */
export function ReadOnly() {
  return <span class="badge">read-only, says its author</span>;
}

/** A switch that pauses live updates, for people who read. */
export function FollowSwitch({ isOn, change }: { readonly isOn: boolean; readonly change: (isOn: boolean) => void }) {
  return (
    <label class="follow">
      <input type="checkbox" checked={isOn} onChange={(event) => change(event.currentTarget.checked)} /> Follow
    </label>
  );
}

const step = 50_000;

/** A text as it is written, of any length: more of it is shown on request. */
export function LongText({ text, label }: { readonly text: string; readonly label: string }) {
  const [shown, setShown] = useState(step);
  return (
    <>
      <section class="long-text" aria-label={label}>
        <pre>{foreign(text.slice(0, shown).toWellFormed())}</pre>
      </section>
      {shown < text.length && (
        <button type="button" onClick={() => setShown(shown + step)}>
          Show more
        </button>
      )}
    </>
  );
}

/** An error, and what to do next. */
export function Problem({ error, again }: { readonly error: Error; readonly again?: () => void }) {
  const hint = error instanceof ApiError ? error.hint : null;
  return (
    <div class="notice bad" role="alert">
      <p class="notice-title">
        <Icon name="error" />
        <span>{message(error.message)}</span>
      </p>
      {hint && <p class="hint">{message(hint)}</p>}
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

interface SkeletonProps {
  readonly lines?: number;
  /** The reason, told to those who have waited for a while. */
  readonly slow?: string;
}

/** The place of something that is being loaded: lines where its lines will be. */
export function Skeleton({ lines = 6, slow }: SkeletonProps) {
  return (
    <div class="skeleton">
      <p class="hidden" role="status">
        Loading …
      </p>
      {slow !== undefined && <p class="skeleton-slow">{slow}</p>}
      {Array.from({ length: lines }, (_, place) => (
        <span key={place} aria-hidden="true" />
      ))}
    </div>
  );
}

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** The place of something that is not there: what it would be, and how it comes to be. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

interface ReadyProps<T> extends Pick<SkeletonProps, 'slow'> {
  readonly loaded: Loaded<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows loaded data; until then, or where loading failed, says so. */
export function Ready<T>({ loaded, slow, children }: ReadyProps<T>) {
  const { value, error, isLoading, again } = loaded;
  return (
    <>
      {error && <Problem error={error} again={again} />}
      {value === null ? isLoading && <Skeleton {...(slow === undefined ? {} : { slow })} /> : children(value)}
    </>
  );
}

/** A wide element in a box of its own. Where it does not fit, the box can be reached and scrolled by keyboard. */
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
  // The content may become wider while the box does not.
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

/** Whether a path is of a picture format that holds nothing but a picture. */
export function isPicture(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp)$/i.test(path);
}
