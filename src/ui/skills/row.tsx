import type { ComponentChildren } from 'preact';
import type { BrowseRow } from '../../engine/operations/browse.ts';
import { counted } from '../../kernel/text.ts';
import { foreign, foreignCut } from '../parts/foreign.ts';
import { hrefOf } from '../route.ts';
import { Badge, PlaceBadges, StateBadges } from './badges.tsx';
import { labelOf } from './facets.ts';

const longestDescription = 600;
const longestName = 200;

export function SkillRow({ row }: { readonly row: BrowseRow }) {
  return (
    <li class="card skills-row">
      <SkillTitle name={row.name}>
        <StateBadges states={row.states} />
      </SkillTitle>
      <p class="skills-description">
        <bdi>{foreignCut(row.description, longestDescription)}</bdi>
      </p>
      <p class="row">
        <PlaceBadges {...row} />
        {row.runtime !== 'none' && <Badge kind="Runtime" text={labelOf('runtime', row.runtime)} />}
        {row.tools > 0 && <span class="quiet skills-small">{counted(row.tools, 'tool')}</span>}
      </p>
      {row.notes.length > 0 && (
        <ul class="skills-notes">
          {row.notes.map(({ message, remedy }) => (
            <li key={message}>
              <bdi>{foreign(message)}</bdi>
              <br />
              <span class="quiet">
                <bdi>{foreign(remedy)}</bdi>
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** The name leads to the skill. */
export function SkillTitle({ name, children }: { readonly name: string; readonly children?: ComponentChildren }) {
  return (
    <div class="row">
      <h2 class="skills-name">
        <a href={hrefOf('skill', [name])}>
          <bdi>{foreignCut(name, longestName)}</bdi>
        </a>
      </h2>
      {children}
    </div>
  );
}
