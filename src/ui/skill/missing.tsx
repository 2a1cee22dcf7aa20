import { type ApiError, ask } from '../api.ts';
import { skillHref } from '../markdown/address.ts';
import { bdi, Empty } from '../parts/elements.tsx';
import { useLoaded } from '../parts/hooks.ts';
import { foreign, foreignCut, place } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { may } from '../session.ts';

const [mostNames, longest] = [12, 200];

/** The page of a name that leads to no skill: why, what may be meant, and the way back. */
export function Missing({ name, error }: { readonly name: string; readonly error: ApiError }) {
  const why = useLoaded(async (signal) => (may('why') ? ask('why', { name }, signal) : null), [name]);
  const near = [...new Set([...error.candidates, ...error.suggestions, ...(why.value?.suggestions ?? [])])];
  const others = why.value?.others ?? [];
  return (
    <>
      <h1>{bdi(foreignCut(name, longest))}</h1>
      <div role="alert">
        <Empty
          icon="search"
          title={
            error.code === 'ambiguous' ? 'More than one skill has this name' : 'No skill of this name can be loaded'
          }
        >
          {others.length > 0 && (
            <ul aria-label="Skills of this name">
              {others.map(({ fullName, file, reason }) => (
                <li key={file}>
                  <a href={skillHref({ skill: fullName, of: file })}>{bdi(foreign(fullName))}</a>:{' '}
                  <bdi>{foreign(reason)}</bdi>
                </li>
              ))}
            </ul>
          )}
          {(why.value?.problems ?? []).map(({ file, message, remedy }) => (
            <p key={`${file} ${message}`}>
              {bdi(place(file), 'mono')}: {bdi(foreign(message))}. {bdi(foreign(remedy))}
            </p>
          ))}
          {others.length === 0 && near.length > 0 && (
            <>
              <p>Do you mean one of these?</p>
              <ul aria-label="Skills that may be meant">
                {near.slice(0, mostNames).map((one) => (
                  <li key={one}>
                    <a href={hrefOf('skill', [one])}>{bdi(foreignCut(one, longest))}</a>
                  </li>
                ))}
              </ul>
            </>
          )}
          <p class="row">
            <a class="button" href={hrefOf('skills', [], { q: name.slice(0, longest) })}>
              Search for it
            </a>
            <a class="button" href={hrefOf('skills')}>
              All skills
            </a>
          </p>
        </Empty>
      </div>
    </>
  );
}
