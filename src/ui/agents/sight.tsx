import { useState } from 'preact/hooks';
import { counted } from '../../core/text/text.ts';
import type { AgentSkill } from '../../engine/operations/machine/doctor.ts';
import { ask } from '../api.ts';
import { Ready } from '../parts/elements.tsx';
import { useLoaded } from '../parts/hooks.ts';
import { foreignCut, place } from '../parts/words.ts';
import { hrefOf } from '../route.ts';

const few = 50;
const longest = 300;

/** Reasons why an agent does not see skills by itself, or not whole; asked for when somebody wants to know. */
export function Sight({ id, name }: { readonly id: string; readonly name: string }) {
  const [isAsked, setIsAsked] = useState(false);
  if (isAsked) return <Reasons id={id} name={name} />;
  return (
    <button type="button" onClick={() => setIsAsked(true)}>
      What {name} does not see by itself, and why
    </button>
  );
}

function Reasons({ id, name }: { readonly id: string; readonly name: string }) {
  const loaded = useLoaded((signal) => ask('doctor', { agent: id }, signal), [id]);
  const [shown, setShown] = useState(few);
  return (
    <Ready loaded={loaded}>
      {({ agent }) => {
        const skipped = agent?.skipped ?? [];
        const some = (agent?.skills ?? []).filter(({ sees }) => sees !== 'yes');
        return (
          <>
            {some.length + skipped.length === 0 && <p class="quiet">{name} sees every skill by itself.</p>}
            <ul class="agents-reasons" aria-label={`What ${name} does not see by itself`}>
              {some.slice(0, shown).map((skill) => (
                <Reason key={skill.file} skill={skill} />
              ))}
              {skipped.slice(0, few).map(({ file, reason }) => (
                <li key={file}>
                  <bdi class="mono">{place(file, longest)}</bdi>{' '}
                  <span class="quiet">{foreignCut(reason, longest)}</span>
                </li>
              ))}
            </ul>
            {shown < some.length && (
              <button type="button" onClick={() => setShown(shown + 10 * few)}>
                Show more of {counted(some.length, 'skill')}
              </button>
            )}
          </>
        );
      }}
    </Ready>
  );
}

function Reason({ skill: { fullName, reason, sees } }: { readonly skill: AgentSkill }) {
  return (
    <li>
      <a href={hrefOf('skill', [fullName])}>
        <bdi>{foreignCut(fullName, longest)}</bdi>
      </a>{' '}
      {sees !== 'no' && <span class="badge">{sees === 'cut' ? 'cut short' : 'not known'}</span>}{' '}
      <span class="quiet">
        <bdi>{foreignCut(reason, longest)}</bdi>
      </span>
    </li>
  );
}
