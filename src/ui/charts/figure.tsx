import type { ComponentChildren } from 'preact';

interface FigureProps {
  readonly title: string;
  readonly note?: string;
  readonly wide?: 'wide';
  readonly children: ComponentChildren;
}

/** A chart in a box with its title. */
export function Figure({ title, note, wide, children }: FigureProps) {
  return (
    <figure class={`card charts-figure ${wide ?? ''}`} aria-label={title}>
      <figcaption>
        <h3>{title}</h3>
        {note !== undefined && <p class="quiet">{note}</p>}
      </figcaption>
      {children}
    </figure>
  );
}
