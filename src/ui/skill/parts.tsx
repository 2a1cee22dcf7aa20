import type { ComponentType } from 'preact';
import { useMemo } from 'preact/hooks';
import type { InspectOutput } from '../../engine/operations/skills/inspect.ts';
import { lineHref, type Named, skillHref } from '../markdown/address.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { Agents } from './agents.tsx';
import { Files } from './files.tsx';
import { Fields } from './front-matter.tsx';
import { Permissions, Tools } from './tools.tsx';

export interface PartProps {
  readonly inspected: InspectOutput;
  readonly named: Named;
  /** Loads the skill again, after a change. */
  readonly again: () => void;
}

interface Part {
  readonly id: string;
  readonly title: string;
  /** Number of things in the part; null where that says nothing. */
  readonly count: (inspected: InspectOutput) => number | null;
  readonly Shown: ComponentType<PartProps>;
}

const text: Part = { id: 'text', title: 'Text', count: () => null, Shown: SkillText };
const parts: readonly Part[] = [
  text,
  { id: 'files', title: 'Files', count: ({ files }) => files.length, Shown: Files },
  { id: 'tools', title: 'Tools', count: ({ tools }) => tools.tools.length, Shown: Tools },
  { id: 'permissions', title: 'Permissions', count: ({ permissions }) => permissions.items.length, Shown: Permissions },
  { id: 'agents', title: 'Agents', count: () => null, Shown: Agents },
];

/** The part that an address names; the text, if it names none. */
export function partOf(query: URLSearchParams): Part {
  return parts.find(({ id }) => id === query.get('part')) ?? text;
}

interface MenuProps extends Pick<PartProps, 'inspected' | 'named'> {
  readonly current: string;
}

export function PartsMenu({ inspected, named, current }: MenuProps) {
  return (
    <nav class="tabs skill-parts" aria-label="Parts of the skill">
      <ul>
        {parts.map(({ id, title, count }) => {
          const number = count(inspected);
          const href = skillHref(named, [], { part: id === text.id ? '' : id });
          return (
            <li key={id}>
              <a href={href} aria-current={id === current ? 'page' : undefined}>
                {title} {number !== null && <span class="skill-count">{number}</span>}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** Front matter fields that the title of the page shows already. */
const known = ['name', 'description'];

/** The part with SKILL.md: its front matter as a table, and its text. */
function SkillText({ inspected, named }: PartProps) {
  const { skill, body, truncated, files } = inspected;
  const path = files[0]?.path ?? 'SKILL.md';
  const paths = useMemo(() => files.map((file) => file.path), [files]);
  const fields = Object.entries(skill.frontmatter).filter(([key]) => !known.includes(key));
  return (
    <>
      {fields.length > 0 && <Fields fields={fields} label="Front matter" />}
      {body.trim() === '' ? (
        <p class="notice">
          There is no text below the front matter: an agent that loads this skill learns nothing more.
        </p>
      ) : (
        <Markdown text={body} place={{ ...named, path, files: paths }} />
      )}
      {truncated && (
        <p class="notice">
          The text is cut here. <a href={lineHref(named, path, null)}>Read the whole file</a>
        </p>
      )}
    </>
  );
}
