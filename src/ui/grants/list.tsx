import type { GrantRecord, GrantsOutput } from '../../engine/operations/grants.ts';
import { foreign, foreignCut } from '../parts/foreign.ts';
import { moment } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { mayAct } from '../session.ts';
import { Changes } from './changes.tsx';
import { Revoke } from './revoke.tsx';

interface ListProps {
  readonly output: GrantsOutput;
  readonly onDone: () => void;
}

/** Everything that was granted, and whether it still holds. */
export function GrantList({ output: { grants, problems }, onDone }: ListProps) {
  return (
    <>
      {problems.map((problem) => (
        <p key={problem} class="notice bad">
          {foreign(problem)}
        </p>
      ))}
      {grants.length === 0 && (
        <p class="notice">
          Nothing is granted. Skills run in a sandbox without a network and without your files; one that needs more asks
          for it. It is granted here, or with <code>repertoire grant SKILL</code>.
        </p>
      )}
      {grants.length > 0 && (
        <ul class="grants-list" aria-label="Grants">
          {grants.map((grant) => (
            <GrantCard key={grant.folder} grant={grant} onDone={onDone} />
          ))}
        </ul>
      )}
    </>
  );
}

export function GrantCard({ grant, onDone }: { readonly grant: GrantRecord; readonly onDone: () => void }) {
  const { skill, folder, grantedAt, valid, changes, items, withheld } = grant;
  const name = foreignCut(skill, 100);
  return (
    <li class="card grants-card">
      <div class="row">
        <h2>
          <a href={hrefOf('skill', [skill])}>
            <bdi>{name}</bdi>
          </a>
        </h2>
        <span class={valid ? 'badge good' : 'badge warn'}>{valid ? 'holds' : 'revoked by a change'}</span>
        <span class="quiet grants-since">since {moment(grantedAt)}</span>
      </div>
      {!valid && <Changes grantedAt={grantedAt} changes={changes} />}
      <p class="grants-may">{valid ? 'It may' : 'It was allowed to'}</p>
      <Words label={`What ${name} was granted`} words={items.map((item) => item.words)} />
      {withheld.length > 0 && (
        <>
          <p class="grants-may quiet">It asks for this too, and was not granted it: to</p>
          <Words label={`What ${name} was not granted`} words={withheld.map((item) => item.words)} />
        </>
      )}
      <p class="mono quiet">
        <bdi>{foreign(folder)}</bdi>
      </p>
      <div class="row">
        <a class="button" href={hrefOf('grants', [skill])} aria-label={`Review ${name}`}>
          Review
        </a>
        {mayAct() && <Revoke skill={skill} onDone={onDone} />}
      </div>
    </li>
  );
}

export function Words({ label, words }: { readonly label: string; readonly words: readonly string[] }) {
  return (
    <ul class="grants-words" aria-label={label}>
      {words.map((text) => (
        <li key={text}>
          <bdi>{foreignCut(text, 500)}</bdi>
        </li>
      ))}
    </ul>
  );
}
