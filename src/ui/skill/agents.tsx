import type { AgentSight } from '../../engine/operations/inspect.ts';
import { foreign } from '../parts/foreign.ts';
import type { PartProps } from './parts.tsx';

const sights: Readonly<Record<AgentSight['sees'], readonly [tone: string, words: string]>> = {
  yes: ['good', 'sees it'],
  cut: ['warn', 'sees a part'],
  no: ['', 'does not see it'],
  unknown: ['', 'not known'],
};

/** Which agents would find the skill by themselves, without this server. */
export function Agents({ inspected }: PartProps) {
  const { agents } = inspected;
  if (agents.length === 0) return <p class="notice">Nothing is known about the agents on this machine.</p>;
  return (
    <>
      <p class="quiet">Whether an agent finds this skill by itself. All others get it from this server.</p>
      <ul class="skill-agents" aria-label="Agents">
        {agents.map(({ id, name, sees, reason }) => {
          const [tone, words] = sights[sees];
          return (
            <li key={id}>
              <strong>{name}</strong>
              <span>
                <span class={`badge ${tone}`}>{words}</span>
              </span>
              <span class="quiet">
                <bdi>{foreign(reason)}</bdi>
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
