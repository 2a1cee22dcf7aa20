import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { attempt } from '../../core/attempt.ts';
import { type Look, plainLook } from '../../core/text/plain-output.ts';
import { sizeInWords } from '../../core/text/quantities.ts';
import { counted } from '../../core/text/text.ts';
import type { Kept } from '../../engine/running/output.ts';
import { downloadAddress } from '../api.ts';
import { CopyButton } from '../parts/copy.tsx';
import { useAtEnd } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { foreignCut } from '../parts/words.ts';
import { type Matches, matchesIn, mostMatches, type Segment } from './find.ts';
import type { Piece, Written } from './state.ts';

interface OutputProps {
  readonly written: Written;
  readonly isRunning: boolean;
  /** The id of the execution, once it is known. */
  readonly id: string | null;
  readonly kept: Kept | null;
  /** The output as data, where it is some. */
  readonly value: unknown;
}

type View = 'picture' | 'data' | 'text';

const viewWords: Readonly<Record<View, string>> = { picture: 'Picture', data: 'Data', text: 'Text' };

/** The output of a run: as a picture or as data where it is that, and as text, as it comes. */
export function OutputPanel(props: OutputProps) {
  const { written, isRunning, id, kept, value } = props;
  const views: readonly View[] = [
    ...(kept?.picture && id !== null ? (['picture'] as const) : []),
    ...(value === undefined ? [] : (['data'] as const)),
    'text',
  ];
  const [chosen, setChosen] = useState<View | null>(null);
  const view = chosen !== null && views.includes(chosen) ? chosen : (views[0] ?? 'text');
  return (
    <section class="run-panel" aria-labelledby="run-output">
      <div class="row run-panel-head">
        <h2 id="run-output" class="run-panel-title">
          Output
        </h2>
        {views.length > 1 && (
          <fieldset class="run-views">
            <legend class="hidden">Show the output as</legend>
            {views.map((one) => (
              <button key={one} type="button" aria-pressed={one === view} onClick={() => setChosen(one)}>
                {viewWords[one]}
              </button>
            ))}
          </fieldset>
        )}
        <span class="run-actions">
          {view === 'data' && <CopyButton text={laidOut(value)} label="Copy the data" />}
          {view === 'text' && written.pieces.length > 0 && !isRunning && (
            <CopyButton text={textOf(written)} label="Copy the output" />
          )}
          {kept !== null && id !== null && (
            <a class="button" href={downloadAddress(id, kept.picture === null ? {} : { stream: 'stdout' })} download>
              <Icon name="download" /> Download {sizeInWords(kept.stdoutBytes + kept.stderrBytes)}
            </a>
          )}
        </span>
      </div>
      {kept !== null && kept.leftOut > 0 && (
        <p class="notice">The last {sizeInWords(kept.leftOut)} were more than is kept of one execution.</p>
      )}
      {view === 'picture' && id !== null && (
        <p class="run-picture">
          <img src={downloadAddress(id, { picture: 'true' })} alt="What the tool drew" />
        </p>
      )}
      {view === 'data' && (
        <section class="run-data" aria-label="The output as data">
          <Tree value={value} />
        </section>
      )}
      {view === 'text' && <TextView {...props} />}
    </section>
  );
}

function textOf({ pieces }: Written): string {
  return pieces.map(({ text }) => text).join('');
}

function laidOut(value: unknown): string {
  // nested too deeply for the stack
  return attempt(() => JSON.stringify(value, null, 2), '');
}

/** The text as it comes. It stays scrolled to the end, unless the reader has scrolled up. */
function TextView({ written, isRunning, kept }: OutputProps) {
  const following = useAtEnd<HTMLPreElement>(written);
  const [wraps, setWraps] = useState(true);
  const [wanted, setWanted] = useState('');
  const { pieces, dropped } = written;
  const matches = useMemo(() => matchesIn(pieces, wanted), [pieces, wanted]);
  const [current, setCurrent] = useState(0);
  const at = matches.count === 0 ? 0 : current % matches.count;
  useEffect(() => {
    if (matches.count === 0) return;
    following.ref.current?.querySelector('mark.current')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [at, wanted]);
  const hasErrors = pieces.some(({ stream }) => stream === 'stderr');
  return (
    <>
      {pieces.length > 0 && (
        <div class="row run-bar">
          <FindBox wanted={wanted} onWanted={setWanted} matches={matches} at={at} go={setCurrent} />
          <label class="run-wrap">
            <input type="checkbox" checked={wraps} onChange={(event) => setWraps(event.currentTarget.checked)} /> Wrap
            lines
          </label>
          {hasErrors && <span class="run-stderr run-legend">standard error looks like this</span>}
        </div>
      )}
      {dropped > 0 && (
        <p class="notice">
          The first {sizeInWords(dropped)} are not shown here. {kept !== null && 'The download has all of it.'}
        </p>
      )}
      <pre
        class={wraps ? 'run-output' : 'run-output unwrapped'}
        {...following}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label="Output of the run"
      >
        {pieces.map((piece) => (
          <Part key={piece.number} piece={piece} segments={matches.segments.get(piece.number)} current={at} />
        ))}
        {pieces.length === 0 && <span class="quiet">{isRunning ? 'Nothing yet.' : 'It wrote nothing.'}</span>}
      </pre>
    </>
  );
}

interface FindProps {
  readonly wanted: string;
  readonly onWanted: (wanted: string) => void;
  readonly matches: Matches;
  readonly at: number;
  readonly go: (to: number) => void;
}

/** Finds a text in the output: Enter goes to the next match, Shift and Enter to the one before. */
function FindBox({ wanted, onWanted, matches: { count }, at, go }: FindProps) {
  const box = useRef<HTMLInputElement>(null);
  const step = (by: number): void => go(count === 0 ? 0 : (at + by + count) % count);
  const found =
    count >= mostMatches ? `${counted(count, 'match', 'matches')} or more` : counted(count, 'match', 'matches');
  return (
    <search class="run-find">
      <label>
        <span class="hidden">Find in the output</span>
        <input
          type="search"
          ref={box}
          value={wanted}
          placeholder="Find"
          spellcheck={false}
          onInput={(event) => {
            go(0);
            onWanted(event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            step(event.shiftKey ? -1 : 1);
          }}
        />
      </label>
      <span role="status" class="quiet">
        {wanted !== '' && (count === 0 ? 'No match' : `${at + 1} of ${found}`)}
      </span>
    </search>
  );
}

interface PartProps {
  readonly piece: Piece;
  readonly segments: readonly Segment[] | undefined;
  readonly current: number;
}

function Part({ piece: { stream, look, text }, segments, current }: PartProps) {
  const classes = [...(stream === 'stderr' ? ['run-stderr'] : []), ...classesOf(look)].join(' ');
  return (
    <span class={classes === '' ? undefined : classes}>
      {stream === 'stderr' && <span class="hidden">standard error: </span>}
      {segments === undefined
        ? text
        : segments.map((one, place) =>
            one.match === null ? (
              one.text
            ) : (
              <mark key={place} class={one.match === current ? 'current' : undefined}>
                {one.text}
              </mark>
            ),
          )}
    </span>
  );
}

/** Classes for a look: the program chooses among our own colours, which can be read on our ground. */
function classesOf(look: Look): string[] {
  if (look === plainLook) return [];
  const { colour, ...rest } = look;
  const names = Object.entries(rest).filter(([, isOn]) => isOn);
  return [...(colour === null || look.marked ? [] : [`ansi-${colour}`]), ...names.map(([name]) => `ansi-${name}`)];
}

/** Entries of a list or an object that are shown at first, and with each request for more. */
const step = 100;
const longestText = 2000;
const longestName = 200;

/** Data as a tree. A branch is drawn when it is opened, so that neither depth nor size matters. */
function Tree({ value }: { readonly value: unknown }) {
  return (
    <div class="tree">
      <Node name={null} value={value} depth={0} />
    </div>
  );
}

interface NodeProps {
  readonly name: string | null;
  readonly value: unknown;
  readonly depth: number;
}

/** Levels that are open at first, and entries up to which a branch is. */
const [openLevels, openEntries] = [3, 20];

function Node({ name, value, depth }: NodeProps) {
  const label = name === null ? null : <span class="tree-name">{foreignCut(name, longestName)}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="tree-leaf">
        {label}
        <Leaf value={value} />
      </div>
    );
  }
  return <Branch label={label} value={value} depth={depth} />;
}

interface BranchProps {
  readonly label: preact.ComponentChild;
  readonly value: object;
  readonly depth: number;
}

function Branch({ label, value, depth }: BranchProps) {
  const [most, setMost] = useState(step);
  const isList = Array.isArray(value);
  const names = Object.keys(value);
  const [isOpen, setIsOpen] = useState(depth === 0 || (depth < openLevels && names.length <= openEntries));
  const size = isList ? counted(names.length, 'item') : counted(names.length, 'entry', 'entries');
  if (names.length === 0) {
    return (
      <div class="tree-leaf">
        {label}
        {isList ? '[ ]' : '{ }'}
      </div>
    );
  }
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span class="quiet">
          {isList ? '[…]' : '{…}'} {size}
        </span>
      </summary>
      {isOpen && (
        <div class="tree-branch">
          {names.slice(0, most).map((name) => (
            <Node key={name} name={name} value={(value as Readonly<Record<string, unknown>>)[name]} depth={depth + 1} />
          ))}
          {names.length > most && (
            <button type="button" onClick={() => setMost(most + step * 5)}>
              Show more
            </button>
          )}
        </div>
      )}
    </details>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') return <bdi class="tree-text">{foreignCut(JSON.stringify(value), longestText)}</bdi>;
  return <span class="tree-value">{String(value)}</span>;
}
