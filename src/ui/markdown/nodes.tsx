import { type ComponentChildren, h } from 'preact';
import { foreign } from '../parts/foreign.ts';
import { Scroll } from '../parts/scroll.tsx';
import { idOfAnchor, type Place } from './address.ts';
import { FollowLink, NoteMark, Notes } from './follow.tsx';
import { Picture } from './picture.tsx';
import type { Cell, SafeNode, SafeNodes } from './tree.ts';

type Element = Exclude<SafeNode, string>;
type Drawers = {
  readonly [K in Element['kind']]: (node: Extract<Element, { kind: K }>, place: Place) => ComponentChildren;
};

/** Draws a safe tree. Text becomes text, whatever is in it. */
export function Nodes({ nodes, place }: { readonly nodes: SafeNodes; readonly place: Place }) {
  return <>{nodes.map((node) => drawn(node, place))}</>;
}

function drawn(node: SafeNode, place: Place): ComponentChildren {
  if (typeof node === 'string') return foreign(node);
  const draw = drawers[node.kind] as (node: Element, place: Place) => ComponentChildren;
  return draw(node, place);
}

/** An element with children and nothing else. */
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
