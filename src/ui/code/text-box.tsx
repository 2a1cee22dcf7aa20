import { useEffect, useMemo, useRef } from 'preact/hooks';
import { counted } from '../../core/text/text.ts';
import type { DraftOutput } from '../../engine/operations/skills/draft.ts';
import { FindingList } from '../parts/finding-list.tsx';
import { Icon } from '../parts/icon.tsx';
import { foreign } from '../parts/words.ts';
import { coloured, useColours } from './colours.tsx';

interface TextBoxProps {
  readonly label: string;
  /** The name of the file, which tells the language. */
  readonly name: string;
  readonly text: string;
  readonly change: (text: string) => void;
  readonly save: () => void;
  /** The line to begin with; 0 for the first. */
  readonly line: number;
  readonly findings: DraftOutput['findings'];
}

/** Lines up to which each has its number and its colours; more is edited plainly. */
const mostLines = 3000;
const findingsId = 'editor-findings';

/**
 * A box to write code in: the browser's own, so that everything that a person's hands, voice or screen reader know works,
 * over the same text with numbers and colours.
 */
export function TextBox({ label, name, text, change, save, line, findings }: TextBoxProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const lines = useMemo(() => text.split('\n'), [text]);
  const isPlain = lines.length > mostLines;
  // Text that could show itself in another order is shown letter by letter.
  const isHidden = useMemo(() => foreign(text) !== text, [text]);
  const colours = useColours(isPlain || isHidden ? '' : text, name);
  const marks = new Map(findings.toReversed().map((one) => [one.line, one.severity]));
  const goTo = (wanted: number): void => {
    const at = lines.slice(0, wanted - 1).reduce((sum, one) => sum + one.length + 1, 0);
    box.current?.focus();
    box.current?.setSelectionRange(at, at + (lines[wanted - 1]?.length ?? 0));
    box.current?.parentElement?.children[0]?.children[wanted - 1]?.scrollIntoView({ block: 'center' });
  };
  useEffect(() => {
    if (line > 0) goTo(line);
  }, [line]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    save();
  };
  return (
    <>
      <div class={`editor ${isPlain ? 'plain' : ''} ${isHidden ? 'by-letter' : ''}`}>
        <div class="editor-lines" aria-hidden="true">
          {!isPlain &&
            lines.map((written, place) => (
              <div key={place} class={`editor-line ${marks.get(place + 1) ?? ''}`}>
                {isHidden || colours?.[place] === undefined ? written : coloured(colours[place] ?? [])}
              </div>
            ))}
        </div>
        <textarea
          ref={box}
          aria-label={label}
          aria-describedby={findingsId}
          value={text}
          onInput={(event) => change(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
        />
      </div>
      <section class="editor-findings" id={findingsId} aria-label="Findings" aria-live="polite">
        {findings.length === 0 ? (
          <p class="quiet">
            <Icon name="check" /> Nothing is wrong with it.
          </p>
        ) : (
          <>
            <h2>{counted(findings.length, 'finding')}</h2>
            <FindingList
              findings={findings}
              where={({ line: at }) =>
                at !== null && (
                  <button type="button" onClick={() => goTo(at)}>
                    Line {at}
                  </button>
                )
              }
            />
          </>
        )}
      </section>
    </>
  );
}
