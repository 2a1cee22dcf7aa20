import { type ComponentChildren, h } from 'preact';
import { useState } from 'preact/hooks';
import { fileAddress } from '../api.ts';
import { coloured, useColours } from '../code/colours.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { isPicture, Scroll } from '../parts/elements.tsx';
import { Icon } from '../parts/icon.tsx';
import { foreign } from '../parts/words.ts';
import { fileHref, fileNamed, goToAnchor, hrefTo, idOfAnchor, type Place } from './address.ts';
import type { Cell, SafeNode, SafeNodes, Target } from './tree.ts';

type Element = Exclude<SafeNode, string>;
type Drawers = {
  readonly [K in Element['kind']]: (node: Extract<Element, { kind: K }>, place: Place) => ComponentChildren;
};

/** Draws a safe tree. Text becomes text, whatever its content. */
export function Nodes({ nodes, place }: { readonly nodes: SafeNodes; readonly place: Place }) {
  return <>{nodes.map((node) => drawn(node, place))}</>;
}

function drawn(node: SafeNode, place: Place): ComponentChildren {
  if (typeof node === 'string') return withMentions(node, place);
  const draw = drawers[node.kind] as (node: Element, place: Place) => ComponentChildren;
  return draw(node, place);
}

/** Makes a component for an element with children and nothing else. */
const as =
  (tag: string) =>
  ({ children }: { readonly children: SafeNodes }, place: Place) =>
    h(tag, null, <Nodes nodes={children} place={place} />);

/** Makes a component for a block of text, which is laid out in the direction of its own first letters. */
const asBlock =
  (tag: string) =>
  ({ children }: { readonly children: SafeNodes }, place: Place) =>
    h(tag, { dir: 'auto' }, <Nodes nodes={children} place={place} />);

/** A text in which files of the skill that it mentions are links. */
function withMentions(text: string, place: Place): ComponentChildren {
  return mentionsIn(text, place).map(({ text: piece, path }) =>
    path === null ? foreign(piece) : <a href={fileHref(place, path)}>{foreign(piece)}</a>,
  );
}

const drawers: Drawers = {
  paragraph: asBlock('p'),
  quote: asBlock('blockquote'),
  strong: as('strong'),
  emphasis: as('em'),
  deleted: as('del'),
  break: () => <br />,
  rule: () => <hr />,
  inlineCode: ({ text }, place) => {
    const path = mentioned(text, place);
    const code = <code>{foreign(text)}</code>;
    return path === null ? code : <a href={fileHref(place, path)}>{code}</a>;
  },
  html: ({ text }) => (
    <code class="markdown-html" title="HTML is shown as it is written">
      {foreign(text)}
    </code>
  ),
  code: ({ text, language }) => <CodeBlock text={text} language={language} />,
  heading: ({ level, id, children }, place) =>
    h(`h${level}`, { id: idOfAnchor(id), tabIndex: -1, dir: 'auto' }, <Nodes nodes={children} place={place} />),
  list: ({ start, children }, place) => {
    const items = <Nodes nodes={children} place={place} />;
    return start === null ? (
      <ul dir="auto">{items}</ul>
    ) : (
      <ol dir="auto" start={start}>
        {items}
      </ol>
    );
  },
  item: ({ isDone, children }, place) => (
    <li class={isDone === null ? undefined : 'markdown-task'}>
      {isDone !== null && <span role="img" aria-label={isDone ? 'done' : 'to do'} class={isDone ? 'done' : 'open'} />}
      <Nodes nodes={children} place={place} />
    </li>
  ),
  table: ({ rows }, place) => <Table rows={rows} place={place} />,
  link: ({ to, children }, place) => (
    <FollowLink to={to} place={place}>
      <Nodes nodes={children} place={{ ...place, files: [] }} />
    </FollowLink>
  ),
  image: ({ to, alt }, place) => <Picture to={to} alt={alt} place={place} />,
  noteMark: ({ number }, place) => <NoteMark number={number} place={place} />,
  notes: ({ notes }, place) => (
    <Notes>
      {notes.map(({ number, children }) => (
        <li key={number} id={idOfAnchor(`note-${number}`)} tabIndex={-1}>
          <Nodes nodes={children} place={place} />
        </li>
      ))}
    </Notes>
  ),
};

function Table({ rows, place }: { readonly rows: readonly (readonly Cell[])[]; readonly place: Place }) {
  const [head = [], ...body] = rows;
  const cells = (row: readonly Cell[], tag: 'th' | 'td') =>
    row.map(({ align, children }) =>
      h(tag, { class: align === null ? undefined : `markdown-${align}` }, <Nodes nodes={children} place={place} />),
    );
  return (
    <Scroll label="Table">
      <table dir="auto">
        <thead>
          <tr>{cells(head, 'th')}</tr>
        </thead>
        <tbody>
          {body.map((row) => (
            <tr key={row}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface FollowProps {
  readonly to: Target;
  readonly place: Place;
  readonly children: ComponentChildren;
}

/** A link to where it may lead. One that may not is shown as its words and its address. */
function FollowLink({ to, place, children }: FollowProps) {
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
  // A reader who is at that place already is taken there again; the address does not change then.
  const again = to.kind === 'anchor' ? () => void goToAnchor(to.anchor) : undefined;
  return (
    <a href={href} onClick={again}>
      {children}
    </a>
  );
}

function NoteMark({ number, place }: { readonly number: number; readonly place: Place }) {
  return (
    <sup>
      <FollowLink to={{ kind: 'anchor', anchor: `note-${number}` }} place={place}>
        <span class="hidden">Note </span>
        {number}
      </FollowLink>
    </sup>
  );
}

function Notes({ children }: { readonly children: ComponentChildren }) {
  return <ol class="markdown-notes">{children}</ol>;
}

interface PictureProps {
  readonly to: Target;
  readonly alt: string;
  readonly place: Place;
}

/** A picture, shown only if it belongs to the skill. Nothing is fetched from anywhere else. */
function Picture({ to, alt, place }: PictureProps) {
  const [isMissing, setIsMissing] = useState(false);
  const { files = [] } = place;
  const path = to.kind === 'file' && isPicture(to.path) ? (fileNamed(to.path, files) ?? to.path) : null;
  const isKnown = files.length === 0 || (path !== null && files.includes(path));
  if (path !== null && isKnown && !isMissing) {
    const src = fileAddress(place, path);
    return <img src={src} alt={foreign(alt)} loading="lazy" decoding="async" onError={() => setIsMissing(true)} />;
  }
  return (
    <span class="markdown-image">
      <Icon name="picture" />
      <span>
        {path === null ? 'Picture, not loaded: ' : 'Picture, missing: '}
        {alt !== '' && <bdi>{foreign(alt)} </bdi>}
        <code>{foreign(addressOf(to))}</code>
      </span>
    </span>
  );
}

/** Code in a text, in colours if its language is known. */
function CodeBlock({ text, language }: { readonly text: string; readonly language: string | null }) {
  const colours = useColours(text, language ?? '');
  return (
    <div class="markdown-code">
      <Scroll label={language === null ? 'Code' : `Code in ${foreign(language)}`}>
        <pre>
          <code>
            {colours === null
              ? foreign(text)
              : colours.map((tokens, place) => (
                  <>
                    {place > 0 && '\n'}
                    {coloured(tokens)}
                  </>
                ))}
          </code>
        </pre>
      </Scroll>
      <CopyButton text={text} label="Copy this code" />
    </div>
  );
}

function addressOf(to: Target): string {
  switch (to.kind) {
    case 'file':
      return to.path;
    case 'anchor':
      return `#${to.anchor}`;
    case 'outside':
      return to.href;
    case 'nowhere':
      return to.address;
  }
}

/** A piece of a text; one that mentions a file of the skill has its path. */
interface Mention {
  readonly text: string;
  readonly path: string | null;
}

/** Words that may be paths of files: with an extension, below a folder or not. */
const pathLike = /(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,9}(?![\w/])/g;
/** Characters of the longest piece of text that is looked at, and files up to which it is. */
const [longest, mostFiles] = [20_000, 5000];

/** A text in pieces, of which some mention files of the skill. */
export function mentionsIn(text: string, place: Place): readonly Mention[] {
  const { files = [] } = place;
  if (files.length === 0 || files.length > mostFiles || text.length > longest) return [{ text, path: null }];
  const pieces: Mention[] = [];
  let at = 0;
  for (const match of text.matchAll(pathLike)) {
    const path = mentioned(match[0], place);
    if (path === null) continue;
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), path: null });
    pieces.push({ text: match[0], path });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), path: null });
  return pieces;
}

/** The file that a word means: from the skill's folder, or from the folder of the text. The text itself is no news. */
function mentioned(word: string, { path, files = [] }: Place): string | null {
  const plain = word.replace(/^\.\//, '');
  const folder = path.split('/').slice(0, -1);
  const found = fileNamed(plain, files) ?? (folder.length > 0 ? fileNamed([...folder, plain].join('/'), files) : null);
  return found === path ? null : found;
}
