import { useState } from 'preact/hooks';
import { counted } from '../../core/text/text.ts';
import type { AgentSight } from '../../engine/operations/skills/inspect.ts';
import { act } from '../api.ts';
import { Problem } from '../parts/elements.tsx';
import { message } from '../parts/words.ts';
import { may } from '../session.ts';
import type { PartProps } from './parts.tsx';

const sights: Readonly<Record<AgentSight['sees'], readonly [tone: string, words: string]>> = {
  yes: ['good', 'sees it'],
  cut: ['warn', 'sees a part'],
  no: ['', 'does not see it'],
  unknown: ['', 'not known'],
};

/** Agents that would find the skill by themselves, and those that this server keeps it from. */
export function Agents({ inspected, again }: PartProps) {
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
      <span class="quiet">
        <bdi>{message(reason)}</bdi>
      </span>
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
