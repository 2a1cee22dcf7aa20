import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { foreign } from '../parts/words.ts';
import type { Token } from './highlight.ts';

type Colour = (text: string, name: string) => readonly (readonly Token[])[];
let loaded: { readonly colour: Colour } | null = null;

/** The lines of a text in colours; null until the highlighter has been loaded, which the first code does. */
export function useColours(text: string, name: string): readonly (readonly Token[])[] | null {
  const [highlighter, setHighlighter] = useState(loaded);
  useEffect(() => {
    if (highlighter !== null) return;
    import('./highlight.ts').then(
      ({ languageOf, tokenLines }) => {
        loaded = { colour: (code, of) => tokenLines(code, languageOf(of)) };
        setHighlighter(loaded);
      },
      () => {}, // without colours it is as good to read
    );
  }, []);
  return highlighter?.colour(text, name) ?? null;
}

/** A line in colours; plain where there are none. */
export function coloured(tokens: readonly Token[]): ComponentChildren {
  return tokens.map(({ kind, text }) =>
    kind === null ? foreign(text) : <span class={`code-${kind}`}>{foreign(text)}</span>,
  );
}
