import { ApiError, ask } from '../api.ts';
import { revisions } from '../live.ts';
import { Ready } from '../parts/elements.tsx';
import { useLoaded } from '../parts/hooks.ts';
import { foreign } from '../parts/words.ts';
import { hrefOf, route } from '../route.ts';
import { FilePage } from '../skill/files.tsx';
import { SkillHeader } from '../skill/header.tsx';
import { PartsMenu, partOf } from '../skill/parts.tsx';

/** One skill: `#/skill/NAME`, or one of its files: `#/skill/NAME/file/PATH`. */
export function SkillPage({ rest }: { readonly rest: readonly string[] }) {
  const [name = '', kind, ...path] = rest;
  if (kind === 'file') return <FilePage skill={name} path={path.join('/')} />;
  return <WholeSkill name={name} />;
}

function WholeSkill({ name }: { readonly name: string }) {
  const news = [revisions.skills.value, revisions.grants.value];
  const loaded = useLoaded((signal) => ask('inspect', { name }, signal), [name, ...news]);
  const { id, title, Shown } = partOf(route.value.query);
  return (
    <>
      {loaded.value === null && (
        <h1>
          <bdi>{foreign(name)}</bdi>
        </h1>
      )}
      <Ready loaded={loaded}>
        {(skill) => (
          <>
            <SkillHeader inspected={skill} />
            <PartsMenu inspected={skill} current={id} />
            <section aria-label={title} class="skill-part">
              <Shown inspected={skill} />
            </section>
          </>
        )}
      </Ready>
      <Suggestions error={loaded.error} />
    </>
  );
}

/** Suggestions for a name that was not found. */
function Suggestions({ error }: { readonly error: Error | null }) {
  const names = error instanceof ApiError ? [...error.suggestions, ...error.candidates] : [];
  if (names.length === 0) return null;
  return (
    <ul aria-label="Skills that may be meant">
      {names.map((name) => (
        <li key={name}>
          <a href={hrefOf('skill', [name])}>
            <bdi>{foreign(name)}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}
