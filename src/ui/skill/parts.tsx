import type { ComponentChildren, ComponentType } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { counted } from '../../core/text/text.ts';
import type { AgentSight, InspectOutput } from '../../engine/operations/skills/inspect.ts';
import { act } from '../api.ts';
import { lineHref, type Named, skillHref } from '../markdown/address.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { bdi, Problem } from '../parts/elements.tsx';
import { foreignCut, message } from '../parts/words.ts';
import { may } from '../session.ts';
import { Files } from './files.tsx';
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

/** Bounds of what is shown of a value: characters, entries, levels. */
const [longest, mostEntries, deepest] = [4000, 100, 4];

/** Fields of the front matter, each with its value: lists as lists, and maps as fields within the field. */
function Fields({
  fields,
  label,
}: {
  readonly fields: readonly (readonly [string, unknown])[];
  readonly label: string;
}) {
  return (
    <dl class="skill-fields" aria-label={label}>
      {fields.map(([key, value]) => (
        <div key={key}>
          <dt>{bdi(foreignCut(key, longest))}</dt>
          <dd>{shown(value, 1)}</dd>
        </div>
      ))}
    </dl>
  );
}

function shown(value: unknown, depth: number): ComponentChildren {
  if (typeof value !== 'object' || value === null) return <bdi>{foreignCut(String(value), longest)}</bdi>;
  if (depth > deepest) return <bdi>{foreignCut(JSON.stringify(value), longest)}</bdi>;
  if (Array.isArray(value)) return listed(value, depth);
  const entries = Object.entries(value);
  return (
    <dl class="skill-inner">
      {entries.slice(0, mostEntries).map(([key, one]) => (
        <div key={key}>
          <dt>{bdi(foreignCut(key, longest))}</dt>
          <dd>{shown(one, depth + 1)}</dd>
        </div>
      ))}
      {entries.length > mostEntries && <div>…</div>}
    </dl>
  );
}

function listed(values: readonly unknown[], depth: number): ComponentChildren {
  if (values.every((one) => typeof one !== 'object')) return <bdi>{foreignCut(values.join(', '), longest)}</bdi>;
  return (
    <ul class="skill-inner">
      {values.slice(0, mostEntries).map((one, place) => (
        <li key={place}>{shown(one, depth + 1)}</li>
      ))}
      {values.length > mostEntries && <li>…</li>}
    </ul>
  );
}

const sights: Readonly<Record<AgentSight['sees'], readonly [tone: string, words: string]>> = {
  yes: ['good', 'sees it'],
  cut: ['warn', 'sees a part'],
  no: ['', 'does not see it'],
  unknown: ['', 'not known'],
};

/** Agents that would find the skill by themselves, and those that this server keeps it from. */
function Agents({ inspected, again }: PartProps) {
  const { agents, disabledFor, skill } = inspected;
  const [error, setError] = useState<Error | null>(null);
  if (agents.length === 0) return <p class="notice">Nothing is known about the agents on this machine.</p>;
  const change = (id: string, isHidden: boolean): void => {
    setError(null);
    const done = isHidden
      ? act('enable', { skills: [skill.id, skill.fullName], agent: [id] })
      : act('disable', { skills: [skill.id], agent: [id] });
    done.then(again, setError);
  };
  const [here, elsewhere] = [agents.filter((one) => one.here), agents.filter((one) => !one.here)];
  const list = (some: readonly AgentSight[], label: string) => (
    <ul class="skill-agents" aria-label={label}>
      {some.map((sight) => (
        <Sight key={sight.id} sight={sight} isHidden={disabledFor.includes(sight.id)} change={change} />
      ))}
    </ul>
  );
  return (
    <>
      <p class="quiet">
        Whether an agent finds this skill in its own folders. An agent that is connected to this server gets it from
        here too, unless it is hidden from that agent.
      </p>
      {error && <Problem error={error} />}
      {here.length === 0 ? (
        <p class="notice">No agent that we know was found on this machine.</p>
      ) : (
        list(here, 'Agents on this machine')
      )}
      <details class="skills-weak">
        <summary>{counted(elsewhere.length, 'agent')} that were not found on this machine</summary>
        {list(elsewhere, 'Other agents')}
      </details>
    </>
  );
}

interface SightProps {
  readonly sight: AgentSight;
  readonly isHidden: boolean;
  readonly change: (id: string, isHidden: boolean) => void;
}

function Sight({ sight: { id, name, sees, reason }, isHidden, change }: SightProps) {
  const [tone, words] = sights[sees];
  return (
    <li>
      <strong>{name}</strong>
      <span>
        <span class={`badge ${tone}`}>{words}</span> {isHidden && <span class="badge warn">hidden here</span>}
      </span>
      <span class="quiet">{bdi(message(reason))}</span>
      {may('disable') && (
        <button
          type="button"
          aria-label={`${isHidden ? 'Show to' : 'Hide from'} ${name}`}
          onClick={() => change(id, isHidden)}
        >
          {isHidden ? 'Show' : 'Hide'}
        </button>
      )}
    </li>
  );
}
