import type { ComponentType } from 'preact';
import type { InspectOutput } from '../../engine/operations/skills/inspect.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { foreignCut } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { Files } from './files.tsx';
import { Agents } from './header.tsx';
import { Permissions, Tools } from './tools.tsx';
import { shownValue } from './values.ts';

export interface PartProps {
  readonly inspected: InspectOutput;
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

export function PartsMenu({ inspected, current }: PartProps & { readonly current: string }) {
  return (
    <nav class="tabs skill-parts" aria-label="Parts of the skill">
      <ul>
        {parts.map(({ id, title, count }) => {
          const number = count(inspected);
          const href = hrefOf('skill', [inspected.name], { part: id === text.id ? '' : id });
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

const longestValue = 4000;
/** Front matter fields that the title of the page shows already. */
const known = ['name', 'description'];

/** The part with SKILL.md: its front matter as a table, and its text. */
function SkillText({ inspected }: PartProps) {
  const { name, skill, body, truncated, files } = inspected;
  const path = files[0]?.path ?? 'SKILL.md';
  const fields = Object.entries(skill.frontmatter).filter(([key]) => !known.includes(key));
  return (
    <>
      {fields.length > 0 && (
        <dl class="skill-fields" aria-label="Front matter">
          {fields.map(([key, value]) => (
            <div key={key}>
              <dt>
                <bdi>{foreignCut(key, longestValue)}</bdi>
              </dt>
              <dd>
                <bdi>{foreignCut(shownValue(value), longestValue)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {body.trim() === '' ? (
        <p class="notice">
          There is no text below the front matter: an agent that loads this skill learns nothing more.
        </p>
      ) : (
        <Markdown text={body} place={{ skill: name, path }} />
      )}
      {truncated && (
        <p class="notice">
          The text is cut here. <a href={hrefOf('skill', [name, 'file', ...path.split('/')])}>Read the whole file</a>
        </p>
      )}
    </>
  );
}
