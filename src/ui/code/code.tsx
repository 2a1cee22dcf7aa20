import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted } from '../../core/text/text.ts';
import { CopyButton } from '../parts/copy.tsx';
import { foreign } from '../parts/words.ts';
import { coloured, useColours } from './colours.tsx';

interface CodeProps {
  readonly text: string;
  /** The name of its file, which tells the language too. */
  readonly name: string;
  /** The line that an address names; 0 for none. */
  readonly line?: number;
  /** The address of a line. */
  readonly hrefOfLine: (line: number) => string;
  /** Further facts above the text. */
  readonly children?: ComponentChildren;
}

/** Lines that are drawn at first, and with each request for more; characters of a line. */
const step = 1000;
const longest = 5000;

/** A text with line numbers and colours, and a button that copies it. */
export function Code({ text, name, line = 0, hrefOfLine, children }: CodeProps) {
  const [most, setMost] = useState(Math.max(step, line + 50));
  const lines = useMemo(() => text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n'), [text]);
  const colours = useColours(text.replaceAll('\r\n', '\n'), name);
  const here = useRef<HTMLTableRowElement>(null);
  useEffect(() => here.current?.scrollIntoView({ block: 'center' }), [line]);
  return (
    <section class="code" aria-label={`The text of ${foreign(name)}`}>
      <div class="code-bar">
        <span>{counted(lines.length, 'line')}</span>
        {children}
        <CopyButton text={text} label={`Copy ${foreign(name)}`} />
      </div>
      <table class="code-lines">
        <tbody>
          {lines.slice(0, most).map((written, place) => {
            const number = place + 1;
            const tokens = written.length > longest ? undefined : colours?.[place];
            return (
              <tr key={number} class={number === line ? 'here' : undefined} ref={number === line ? here : null}>
                <td class="code-number-cell">
                  <a href={hrefOfLine(number)} aria-label={`Line ${number}`} tabIndex={-1}>
                    {number}
                  </a>
                </td>
                <td class="code-line">{tokens === undefined ? foreign(cut(written)) : coloured(tokens)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {most < lines.length && (
        <button type="button" onClick={() => setMost(most + step)}>
          Show more
        </button>
      )}
    </section>
  );
}

function cut(line: string): string {
  return line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line;
}
