import type { ComponentType } from 'preact';
import { ApiError, ask } from '../api.ts';
import { revisions } from '../live.ts';
import { type Named, ofKey } from '../markdown/address.ts';
import { bdi, Ready } from '../parts/elements.tsx';
import { useLoaded } from '../parts/hooks.ts';
import { foreign } from '../parts/words.ts';
import { route } from '../route.ts';
import { may } from '../session.ts';
import { FilePage } from '../skill/files.tsx';
import { SkillHeader } from '../skill/header.tsx';
import { Missing } from '../skill/missing.tsx';
import { PartsMenu, partOf } from '../skill/parts.tsx';
import { Rail } from '../skill/rail.tsx';

/**
 * One skill: `#/skill/NAME`, one of its files: `#/skill/NAME/file/PATH`, or the editor or comparison of one. Where the
 * name leads to another skill, `?of=FILE` says which is meant.
 */
export function SkillPage({ rest }: { readonly rest: readonly string[] }) {
  const [skill = '', kind, ...path] = rest;
  const named = { skill, of: route.value.query.get(ofKey) ?? '' };
  if (kind === 'file') return <FilePage {...named} path={path.join('/')} />;
  if (kind === 'edit' || kind === 'compare') return <Later kind={kind} {...named} path={path.join('/')} />;
  return <WholeSkill key={`${named.skill} ${named.of}`} named={named} />;
}

type Other = ComponentType<Named & { readonly path: string }>;

const others: Readonly<Record<'edit' | 'compare', () => Promise<Other>>> = {
  edit: async () => (await import('../skill/editor.tsx')).EditPage,
  compare: async () => (await import('../skill/compare.tsx')).ComparePage as Other,
};

/** A page that few people open, loaded when somebody does. */
function Later({ kind, ...props }: Named & { readonly kind: 'edit' | 'compare'; readonly path: string }) {
  const page = useLoaded(async () => ({ Shown: await others[kind]() }), [kind]);
  return <Ready loaded={page}>{({ Shown }) => <Shown {...props} />}</Ready>;
}

function WholeSkill({ named }: { readonly named: Named }) {
  const { skill: name, of } = named;
  const chosen = { name, ...(of !== '' && { file: of }) };
  const news = [revisions.skills.value, revisions.grants.value];
  const loaded = useLoaded((signal) => ask('inspect', chosen, signal), [name, of, ...news]);
  const draft = useLoaded(
    async (signal) => (may('draft') ? ask('draft', chosen, signal) : null),
    [name, of, revisions.skills.value],
  );
  const { id, title, Shown } = partOf(route.value.query);
  const again = (): void => {
    loaded.again();
    draft.again();
  };
  const { error } = loaded;
  if (error instanceof ApiError && ['not-found', 'ambiguous', 'invalid-name'].includes(error.code)) {
    return <Missing name={name} error={error} />;
  }
  if (loaded.value === null) {
    return (
      <>
        <h1>{bdi(foreign(name))}</h1>
        <Ready loaded={loaded}>{() => null}</Ready>
      </>
    );
  }
  const { value: inspected } = loaded;
  return (
    <>
      <SkillHeader inspected={inspected} named={named} draft={draft.value} again={again} />
      <PartsMenu inspected={inspected} named={named} current={id} />
      <div class="with-rail">
        <section aria-label={title} class="skill-part">
          <Shown inspected={inspected} named={named} again={again} />
        </section>
        {id === 'text' && <Rail inspected={inspected} named={named} current="SKILL.md" />}
      </div>
    </>
  );
}
