import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { counted } from '../../core/text/text.ts';
import { type DiffLine, type DiffRow, hunksIn, rowsBetween, type Stretch, stretchesOf } from '../code/diff-rows.ts';
import { bdi } from './elements.tsx';
import { foreign, place } from './words.ts';

interface DiffProps {
  /** The name of the comparison, for those who do not see it. */
  readonly label: string;
  readonly before: string;
  readonly after: string;
  /** Names of the two sides, above them. */
  readonly sides?: readonly [before: string, after: string];
  /** Whether the two stand side by side, unless the reader chose otherwise. */
  readonly isSplit?: boolean;
}

/** The changes between two texts, line by line, with the words that differ marked. */
export function Diff({ label, before, after, sides, isSplit = false }: DiffProps) {
  const rows = useMemo(() => rowsBetween(before, after), [before, after]);
  const stretches = useMemo(() => stretchesOf(rows), [rows]);
  if (before === after) return <p class="notice">The two are the same.</p>;
  return <Shown label={label} sides={sides} isSplit={isSplit} parts={[{ title: null, stretches }]} />;
}

/** A diff that the server made, as `diff -u` writes it: of one file or of several. */
export function Patch({ label, text }: { readonly label: string; readonly text: string }) {
  const parts = useMemo(
    () =>
      hunksIn(text).map(({ file, rows }) => ({
        title: file,
        stretches: [{ isFolded: false, rows }],
      })),
    [text],
  );
  if (parts.length === 0) return <p class="notice">Nothing changes.</p>;
  return <Shown label={label} sides={undefined} isSplit={false} parts={parts} />;
}

interface Part {
  readonly title: string | null;
  readonly stretches: readonly Stretch[];
}

interface ShownProps {
  readonly label: string;
  readonly sides: readonly [string, string] | undefined;
  readonly isSplit: boolean;
  readonly parts: readonly Part[];
}

const layouts = { unified: 'Unified', split: 'Side by side' } as const;
type Layout = keyof typeof layouts;
const layoutKey = 'diff-layout';

/** The layout that the reader chose last; the usual one before that. */
function useLayout(usual: Layout): readonly [Layout, (layout: Layout) => void] {
  const [layout, setLayout] = useState<Layout>(() => {
    const chosen = localStorage.getItem(layoutKey) ?? '';
    return Object.hasOwn(layouts, chosen) ? (chosen as Layout) : usual;
  });
  const choose = (chosen: Layout): void => {
    localStorage.setItem(layoutKey, chosen);
    setLayout(chosen);
  };
  return [layout, choose];
}

const wide = matchMedia('(min-width: 56rem)');

/** Whether there is room for two sides. */
function useIsWide(): boolean {
  const [isWide, setIsWide] = useState(wide.matches);
  useEffect(() => {
    const look = (): void => setIsWide(wide.matches);
    wide.addEventListener('change', look);
    return () => wide.removeEventListener('change', look);
  }, []);
  return isWide;
}

/** Rows that are drawn at first, and with each request for more. */
const step = 500;

function Shown({ label, sides, isSplit: isUsuallySplit, parts }: ShownProps) {
  const [layout, choose] = useLayout(isUsuallySplit ? 'split' : 'unified');
  const isWide = useIsWide();
  const [most, setMost] = useState(step);
  const isSplit = layout === 'split' && isWide;
  const shown = bounded(parts, most);
  const isCut = shown !== parts;
  return (
    <section class="diff" aria-label={label}>
      <div class="diff-bar">
        <Sum parts={parts} />
        {isWide && <LayoutChoice layout={layout} choose={choose} />}
      </div>
      <table class={isSplit ? 'diff-table split' : 'diff-table'}>
        <colgroup>
          {(isSplit ? splitColumns : unifiedColumns).map((name, place) => (
            <col key={place} class={`diff-${name}`} />
          ))}
        </colgroup>
        {sides !== undefined && <SidesHead sides={sides} isSplit={isSplit} />}
        {shown.map(({ title, stretches }, place) => (
          <>
            {title !== null && <TitleRow title={title} />}
            {title === null && place > 0 && <GapRow />}
            {stretches.map((stretch, at) => (
              <StretchRows key={`${place} ${at}`} {...stretch} isSplit={isSplit} />
            ))}
          </>
        ))}
      </table>
      {isCut && (
        <button type="button" onClick={() => setMost(most + step * 2)}>
          Show more
        </button>
      )}
    </section>
  );
}

const unifiedColumns = ['number', 'number', 'sign', 'text'] as const;
const splitColumns = ['number', 'text', 'number', 'text'] as const;

/** The first rows of all parts; the parts themselves where that is all. A fold takes up one. */
function bounded(parts: readonly Part[], most: number): readonly Part[] {
  let left = most;
  const first = parts.flatMap(({ title, stretches }) => {
    const kept = stretches.flatMap((stretch) => {
      const rows = stretch.isFolded && left > 0 ? stretch.rows : stretch.rows.slice(0, Math.max(0, left));
      left -= stretch.isFolded ? 1 : stretch.rows.length;
      return rows.length === 0 ? [] : [{ ...stretch, rows }];
    });
    return kept.length === 0 ? [] : [{ title, stretches: kept }];
  });
  return left < 0 ? first : parts;
}

function Sum({ parts }: { readonly parts: readonly Part[] }) {
  const all = parts.flatMap(({ stretches }) => stretches.flatMap(({ rows }) => rows)).filter((row) => row.isChanged);
  const [come, gone] = [all.filter(({ fresh }) => fresh !== null).length, all.filter(({ old }) => old !== null).length];
  return (
    <span class="diff-sum">
      <span aria-hidden="true">
        <span class="diff-come">+{come}</span> <span class="diff-gone">−{gone}</span>
      </span>
      <span class="hidden">
        {counted(come, 'line')} added, {counted(gone, 'line')} removed
      </span>
    </span>
  );
}

interface ChoiceProps {
  readonly layout: Layout;
  readonly choose: (layout: Layout) => void;
}

function LayoutChoice({ layout, choose }: ChoiceProps) {
  return (
    <fieldset class="diff-layout">
      <legend class="hidden">Layout</legend>
      {(Object.keys(layouts) as Layout[]).map((id) => (
        <button key={id} type="button" aria-pressed={layout === id} onClick={() => choose(id)}>
          {layouts[id]}
        </button>
      ))}
    </fieldset>
  );
}

interface InTable {
  readonly isSplit: boolean;
}

function SidesHead({ sides, isSplit }: InTable & { readonly sides: readonly [string, string] }) {
  const [before, after] = sides.map(foreign);
  if (!isSplit) {
    return (
      <thead>
        <tr>
          <th colSpan={4} scope="col">
            <bdi class="diff-gone">− {before}</bdi> <bdi class="diff-come">+ {after}</bdi>
          </th>
        </tr>
      </thead>
    );
  }
  return (
    <thead>
      <tr>
        <th colSpan={2} scope="col">
          <bdi>{before}</bdi>
        </th>
        <th colSpan={2} scope="col">
          <bdi>{after}</bdi>
        </th>
      </tr>
    </thead>
  );
}

function TitleRow({ title }: { readonly title: string }) {
  return (
    <tbody class="diff-title">
      <tr>
        <th colSpan={4} scope="rowgroup">
          {bdi(place(title))}
        </th>
      </tr>
    </tbody>
  );
}

function GapRow() {
  return (
    <tbody class="diff-gap" aria-hidden="true">
      <tr>
        <td colSpan={4}>⋯</td>
      </tr>
    </tbody>
  );
}

function StretchRows({ isFolded, rows, isSplit }: Stretch & InTable) {
  const [isOpen, setIsOpen] = useState(!isFolded);
  if (!isOpen) {
    return (
      <tbody class="diff-fold">
        <tr>
          <td colSpan={4}>
            <button type="button" onClick={() => setIsOpen(true)}>
              Show {counted(rows.length, 'unchanged line')}
            </button>
          </td>
        </tr>
      </tbody>
    );
  }
  return <tbody>{isSplit ? rows.map(splitRow) : unifiedRows(rows)}</tbody>;
}

/** Lines one below the other: of each change what is gone first, then what has come. */
function unifiedRows(rows: readonly DiffRow[]): ComponentChildren {
  const drawn: ComponentChildren[] = [];
  const come: DiffLine[] = [];
  for (const { old, fresh, isChanged } of rows) {
    if (!isChanged) drawn.push(...come.splice(0).map((line) => unifiedRow(null, line, '+')));
    if (!isChanged) drawn.push(unifiedRow(old, fresh, ''));
    if (isChanged && old !== null) drawn.push(unifiedRow(old, null, '−'));
    if (isChanged && fresh !== null) come.push(fresh);
  }
  return [...drawn, ...come.map((line) => unifiedRow(null, line, '+'))];
}

const tones = { '−': 'gone', '+': 'come', '': undefined } as const;

function unifiedRow(old: DiffLine | null, fresh: DiffLine | null, sign: keyof typeof tones) {
  return (
    <tr key={`${old?.number} ${fresh?.number}`} class={tones[sign]}>
      <td class="diff-number">{old?.number}</td>
      <td class="diff-number">{fresh?.number}</td>
      <td class="diff-sign">{sign}</td>
      <LineCell line={fresh ?? old} isChanged={sign !== ''} />
    </tr>
  );
}

function splitRow({ old, fresh, isChanged }: DiffRow) {
  return (
    <tr key={`${old?.number} ${fresh?.number}`}>
      <td class="diff-number">{old?.number}</td>
      <LineCell line={old} isChanged={isChanged} tone={old === null ? 'none' : 'gone'} />
      <td class="diff-number">{fresh?.number}</td>
      <LineCell line={fresh} isChanged={isChanged} tone={fresh === null ? 'none' : 'come'} />
    </tr>
  );
}

interface LineProps {
  readonly line: DiffLine | null;
  readonly isChanged: boolean;
  readonly tone?: 'gone' | 'come' | 'none';
}

/** Ends of lines that are worth a word where a line has changed: nothing else may differ. */
const ends = { '': 'no line end', '\r\n': 'CRLF', '\n': null } as const;

function LineCell({ line, isChanged, tone }: LineProps) {
  const end = line === null || !isChanged ? null : ends[line.end];
  return (
    <td class={isChanged && tone !== undefined ? `diff-line ${tone}` : 'diff-line'}>
      {line?.pieces.map(({ text, isMarked }) => (isMarked ? <mark>{foreign(text)}</mark> : foreign(text)))}
      {end !== null && <span class="diff-end">{end}</span>}
    </td>
  );
}
