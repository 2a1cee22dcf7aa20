import { type ComponentChildren, h } from 'preact';
import { fileAddress } from '../api.ts';
import { isPicture, Scroll } from '../parts/elements.tsx';
import { foreign } from '../parts/words.ts';
import { goToAnchor, hrefTo, idOfAnchor, type Place } from './address.ts';
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
  if (typeof node === 'string') return foreign(node);
  const draw = drawers[node.kind] as (node: Element, place: Place) => ComponentChildren;
  return draw(node, place);
}

/** Makes a component for an element with children and nothing else. */
const as =
  (tag: string) =>
  ({ children }: { readonly children: SafeNodes }, place: Place) =>
    h(tag, null, <Nodes nodes={children} place={place} />);

const drawers: Drawers = {
  paragraph: as('p'),
  quote: as('blockquote'),
  strong: as('strong'),
  emphasis: as('em'),
  deleted: as('del'),
  break: () => <br />,
  rule: () => <hr />,
  inlineCode: ({ text }) => <code>{foreign(text)}</code>,
  html: ({ text }) => (
    <code class="markdown-html" title="HTML is shown as it is written">
      {foreign(text)}
    </code>
  ),
  code: ({ text, language }) => (
    <Scroll label={language === null ? 'Code' : `Code in ${foreign(language)}`}>
      <pre>
        <code>{foreign(text)}</code>
      </pre>
    </Scroll>
  ),
  heading: ({ level, id, children }, place) =>
    h(`h${level}`, { id: idOfAnchor(id), tabIndex: -1 }, <Nodes nodes={children} place={place} />),
  list: ({ start, children }, place) => {
    const items = <Nodes nodes={children} place={place} />;
    return start === null ? <ul>{items}</ul> : <ol start={start}>{items}</ol>;
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
      <Nodes nodes={children} place={place} />
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
      <table>
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
  if (to.kind === 'file' && isPicture(to.path)) {
    return <img src={fileAddress(place.skill, to.path)} alt={foreign(alt)} loading="lazy" decoding="async" />;
  }
  return (
    <span class="markdown-image">
      image: {alt !== '' && <bdi>{foreign(alt)} </bdi>}
      <code>{foreign(addressOf(to))}</code>
    </span>
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
