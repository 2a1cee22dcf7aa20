import type { InspectPermissions } from '../../engine/operations/inspect.ts';
import { Changes } from '../grants/changes.tsx';
import { foreign } from '../parts/foreign.ts';
import { moment } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { mayAct } from '../session.ts';
import type { PartProps } from './parts.tsx';

/** What the skill asks for, and what it may have. */
export function Permissions({ inspected }: PartProps) {
  const { items, grant, impossible } = inspected.permissions;
  return (
    <>
      {impossible !== null && (
        <p class="notice bad">
          <bdi>{foreign(impossible)}</bdi>
        </p>
      )}
      <GrantState grant={grant} needsOne={items.some(({ free }) => !free)} />
      {items.length === 0 ? (
        <p class="notice">This skill asks for nothing beyond its sandbox.</p>
      ) : (
        <ul class="skill-asks" aria-label="What it asks for">
          {items.map((item) => (
            <Asked key={item.key} item={item} />
          ))}
        </ul>
      )}
      <p>
        <a href={hrefOf('grants', [inspected.name])}>{mayAct() ? 'Grant, narrow or revoke' : 'See what is granted'}</a>
      </p>
    </>
  );
}

function GrantState({ grant, needsOne }: { readonly grant: InspectPermissions['grant']; readonly needsOne: boolean }) {
  if (grant === null) return needsOne ? <p class="quiet">Nothing has been granted to this skill.</p> : null;
  if (!grant.valid) return <Changes grantedAt={grant.grantedAt} changes={grant.changes} />;
  return <p class="notice good">Granted on {moment(grant.grantedAt)}. It is valid until any of its files changes.</p>;
}

function Asked({ item }: { readonly item: InspectPermissions['items'][number] }) {
  const { free, granted, tools, words } = item;
  const [tone, state] = free ? ['', 'free'] : granted ? ['good', 'granted'] : ['warn', 'not granted'];
  return (
    <li>
      <span class={`badge ${tone}`}>{state}</span>
      <span>
        <bdi>{foreign(words)}</bdi>
        {tools.length > 0 && <span class="quiet"> (for {tools.map(foreign).join(', ')})</span>}
      </span>
    </li>
  );
}
