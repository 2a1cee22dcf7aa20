import type { ComponentChildren } from 'preact';
import { foreign } from '../parts/foreign.ts';
import { goToAnchor, hrefTo, type Place } from './address.ts';
import type { Target } from './tree.ts';

interface FollowProps {
  readonly to: Target;
  readonly place: Place;
  readonly children: ComponentChildren;
}

/** A link that leads where it may. One that may not is its words and its address. */
export function FollowLink({ to, place, children }: FollowProps) {
  const href = hrefTo(to, place);
  if (href === null) {
    return (
      <span class="markdown-unlinked">
        {children}{' '}
        <code title="This link leads out of the skill, or to something that is not opened from here">
          {foreign(to.kind === 'nowhere' ? to.address : '')}
        </code>
      </span>
    );
  }
  if (to.kind === 'outside') {
    return (
      <a href={href} title={foreign(href)} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    );
  }
  // Whoever is at that place already is taken there again; the address does not change then.
  const again = to.kind === 'anchor' ? () => void goToAnchor(to.anchor) : undefined;
  return (
    <a href={href} onClick={again}>
      {children}
    </a>
  );
}

export function NoteMark({ number, place }: { readonly number: number; readonly place: Place }) {
  return (
    <sup>
      <FollowLink to={{ kind: 'anchor', anchor: `note-${number}` }} place={place}>
        <span class="hidden">Note </span>
        {number}
      </FollowLink>
    </sup>
  );
}

export function Notes({ children }: { readonly children: ComponentChildren }) {
  return <ol class="markdown-notes">{children}</ol>;
}
