import { useEffect, useRef } from 'preact/hooks';
import { useLoaded } from '../parts/loaded.ts';
import { LongText } from '../parts/long-text.tsx';
import { route } from '../route.ts';
import { anchorKey, goToAnchor, type Place } from './address.ts';
import { Nodes } from './nodes.tsx';
import { readMarkdown } from './read.ts';

/** A text in Markdown, drawn. What cannot be, in time or at all, is shown as it is written. */
export function Markdown({ text, place }: { readonly text: string; readonly place: Place }) {
  const { value } = useLoaded(
    async (signal) => ({ answer: await readMarkdown({ text, path: place.path }, signal) }),
    [text, place.path],
  );
  useAnchor(value !== null);
  if (value === null) return <p class="quiet">Loading …</p>;
  if (value.answer === null) {
    return (
      <>
        <p class="notice">This text is too long or too complex to be rendered. Here is its source.</p>
        <LongText text={text} label="The text as it is written" />
      </>
    );
  }
  const { nodes, rest } = value.answer;
  return (
    <>
      <div class="markdown">
        <Nodes nodes={nodes} place={place} />
      </div>
      {rest !== '' && (
        <>
          <p class="notice">The rest is too much to be rendered. Here is its source.</p>
          <LongText text={rest} label="The rest of the text as it is written" />
        </>
      )}
    </>
  );
}

/** Goes to the place in the text that the address names: once, and not again when the text is drawn anew. */
function useAnchor(isDrawn: boolean): void {
  const anchor = route.value.query.get(anchorKey) ?? '';
  const last = useRef('');
  useEffect(() => {
    if (!isDrawn || anchor === last.current) return;
    last.current = anchor;
    if (anchor !== '') goToAnchor(anchor);
  }, [isDrawn, anchor]);
}
