import type { AgentSight, InspectOutput } from '../../engine/operations/skills/inspect.ts';
import { foreign, foreignCut } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { PlaceBadges, StateBadges } from '../skills/list.tsx';
import type { PartProps } from './parts.tsx';

const longestName = 200;
const longestDescription = 4000;

/** The name and purpose of a skill, its origin, and its diagnostics. */
export function SkillHeader({ inspected }: { readonly inspected: InspectOutput }) {
  const { name, skill, diagnostics, others } = inspected;
  const codes = new Set(diagnostics.map(({ code }) => code));
  const states = [
    skill.repaired && 'repaired',
    skill.shadowed && 'shadowed',
    codes.has('ambiguous') && 'ambiguous',
    skill.looksLike !== null && 'look-alike',
    skill.quarantined && 'quarantined',
  ];
  return (
    <header class="skill-header">
      <p class="quiet">
        <a href={hrefOf('skills')}>Skills</a>
      </p>
      <h1>
        <bdi>{foreignCut(name, longestName)}</bdi>
      </h1>
      <p class="skill-description">
        <bdi>{foreignCut(skill.description, longestDescription)}</bdi>
      </p>
      <p class="row">
        <PlaceBadges {...skill} />
        <StateBadges states={states.filter((state) => state !== false)} />
        <span class="mono quiet">
          <bdi>{foreign(skill.file)}</bdi>
        </span>
      </p>
      <Diagnostics diagnostics={diagnostics} skill={skill} />
      {others.length > 0 && <Others others={others} />}
    </header>
  );
}

const tones = { error: 'bad', warning: 'warn', info: '' } as const;

/** Diagnostics with their remedies. */
export function Diagnostics({ diagnostics, skill }: Pick<InspectOutput, 'diagnostics' | 'skill'>) {
  return (
    <>
      {diagnostics.map(({ code, severity, file, line, message, remedy }) => (
        <div key={`${code}:${file}:${line}:${message}`} class={`notice ${tones[severity]}`}>
          <p>
            <bdi>{foreign(message)}</bdi>
            <span class="quiet">
              {' '}
              (<bdi>{foreign(nameIn(skill.dir, file))}</bdi>
              {line !== null && `, line ${line}`})
            </span>
          </p>
          <p class="quiet">
            <bdi>{foreign(remedy)}</bdi>
          </p>
        </div>
      ))}
    </>
  );
}

/** The path of a file, relative to the skill's folder where it lies in there. */
function nameIn(folder: string, file: string): string {
  const isInside = file.startsWith(folder) && /^[/\\]./.test(file.slice(folder.length));
  return isInside ? file.slice(folder.length + 1) : file;
}

function Others({ others }: { readonly others: InspectOutput['others'] }) {
  return (
    <details class="skill-others">
      <summary>Other skills of this name ({others.length})</summary>
      <ul>
        {others.map(({ fullName, provider, file, reason }) => (
          <li key={file}>
            <bdi>
              {foreign(fullName)} of {foreign(provider)}
            </bdi>
            : <bdi>{foreign(reason)}</bdi>
            <br />
            <span class="mono quiet">
              <bdi>{foreign(file)}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const sights: Readonly<Record<AgentSight['sees'], readonly [tone: string, words: string]>> = {
  yes: ['good', 'sees it'],
  cut: ['warn', 'sees a part'],
  no: ['', 'does not see it'],
  unknown: ['', 'not known'],
};

/** Agents that would find the skill by themselves, without this server. */
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
