import type { GrantRecord } from '../../engine/operations/grants.ts';
import type { SkillTools } from '../../engine/operations/tools.ts';
import { counted } from '../../kernel/text.ts';
import { ask } from '../api.ts';
import { revisions } from '../live.ts';
import { foreignCut } from '../parts/foreign.ts';
import { useLoaded } from '../parts/loaded.ts';
import { useCalm } from '../parts/pace.ts';
import { hrefOf } from '../route.ts';
import { Words } from './list.tsx';

const mostShown = 100;
const pauseMs = 5000;

/** Skills that ask for something and have no grant. Finding them takes a while where there are many, and nobody waits for it. */
export function Asking({ grants }: { readonly grants: readonly GrantRecord[] }) {
  const { value } = useLoaded((signal) => ask('tools', {}, signal), [useCalm(revisions.skills.value, pauseMs)]);
  const granted = new Set(grants.map(({ skill }) => skill));
  const asking = (value?.skills ?? []).filter((one) => !granted.has(one.skill) && asked(one).length > 0);
  if (asking.length === 0) return null;
  return (
    <section aria-labelledby="grants-asking">
      <h2 id="grants-asking">Asking</h2>
      <p class="quiet">These ask for something and have not been granted it. Until then, what needs it is denied.</p>
      <ul class="grants-list" aria-label="Asking">
        {asking.slice(0, mostShown).map((one) => (
          <AskingCard key={one.skill} skill={one.skill} words={asked(one)} />
        ))}
      </ul>
      {asking.length > mostShown && <p class="quiet">and {counted(asking.length - mostShown, 'skill')} more</p>}
    </section>
  );
}

function asked({ tools }: SkillTools): readonly string[] {
  return [...new Set(tools.flatMap(({ asksTo }) => asksTo))];
}

function AskingCard({ skill, words }: { readonly skill: string; readonly words: readonly string[] }) {
  const name = foreignCut(skill, 100);
  return (
    <li class="card grants-card">
      <h3>
        <a href={hrefOf('skill', [skill])}>
          <bdi>{name}</bdi>
        </a>
      </h3>
      <p class="grants-may">It asks to</p>
      <Words label={`What ${name} asks for`} words={words} />
      <a class="button" href={hrefOf('grants', [skill])} aria-label={`Review ${name}`}>
        Review
      </a>
    </li>
  );
}
