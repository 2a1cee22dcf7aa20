import { foreign } from '../parts/foreign.ts';
import { hrefOf } from '../route.ts';

/** How to allow a skill what it is missing. */
export function GrantHelp({ skill }: { readonly skill: string }) {
  return (
    <p class="row run-grant">
      <a class="button" href={hrefOf('grants', [skill])}>
        Look at what it asks for
      </a>
      <span>
        or type <code>repertoire grant {foreign(skill)}</code>
      </span>
    </p>
  );
}
