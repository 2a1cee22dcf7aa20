import type { ComponentType } from 'preact';
import type { InspectOutput } from '../../engine/operations/inspect.ts';
import { hrefOf } from '../route.ts';
import { Agents } from './agents.tsx';
import { Files } from './files.tsx';
import { Permissions } from './permissions.tsx';
import { SkillText } from './text.tsx';
import { Tools } from './tools.tsx';

export interface PartProps {
  readonly inspected: InspectOutput;
}

interface Part {
  readonly id: string;
  readonly title: string;
  /** How many things there are in it; null where that says nothing. */
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

/** The part that an address means; the text, if it says none. */
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
