import { Fragment } from 'preact';
import { counted } from '../../core/text/text.ts';
import type { BrowseRow } from '../../engine/operations/skills/browse.ts';
import type { SearchHit } from '../../engine/searching/hits.ts';
import { bdi, Empty } from '../parts/elements.tsx';
import { foreign, foreignCut } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { may } from '../session.ts';
import { markedParts, withoutMarks } from './facets.ts';
import { PlaceBadges, SkillTitle, StateBadges } from './list.tsx';
import type { Hits } from './load.ts';

const longest = 600;

interface HitListProps {
  readonly found: Hits;
  /** The hits that are shown. */
  readonly hits: readonly SearchHit[];
  /** The skills of the hits, as far as the list has told of them. */
  readonly rows: readonly BrowseRow[];
}

/** The hits: strong ones first, and weak ones folded away. */
export function HitList({ found, hits, rows }: HitListProps) {
  const byFile = new Map(rows.map((row) => [row.file, row]));
  const [fitting, weak] = [hits.filter((hit) => !hit.weak), hits.filter((hit) => hit.weak)];
  const list = (some: readonly SearchHit[], label: string, kind: string) => (
    <ul class={`skills-list ${kind}`} aria-label={label}>
      {some.map((hit) => (
        <Hit key={hit.path} hit={hit} query={found.query} states={byFile.get(hit.path)?.states ?? []} />
      ))}
    </ul>
  );
  return (
    <>
      {found.notes.map((note) => (
        <p key={note} class="quiet">
          {foreign(note)}
        </p>
      ))}
      {fitting.length === 0 && (
        <Empty icon="search" title={hits.length === 0 ? 'Nothing was found' : 'Nothing fits'}>
          <p>Try other words or fewer filters. The search leaves out skills that are shadowed.</p>
        </Empty>
      )}
      {fitting.length > 0 && list(fitting, 'Found', '')}
      {weak.length > 0 && (
        <details class="skills-weak">
          <summary>{counted(weak.length, 'more skill')} that may not fit</summary>
          {list(weak, 'May not fit', 'weak')}
        </details>
      )}
    </>
  );
}

interface HitProps {
  readonly hit: SearchHit;
  readonly query: string;
  readonly states: readonly string[];
}

function Hit({ hit, query, states }: HitProps) {
  const { name, description, passage, tools, bestTool } = hit;
  const showsPassage = !lettersOf(description).includes(lettersOf(passage));
  return (
    <li class="card skills-row">
      <SkillTitle name={name}>
        <StateBadges states={states} />
        <span class="row skills-facts">
          <PlaceBadges {...hit} />
        </span>
      </SkillTitle>
      <p class="skills-description">
        <Marked text={description} query={query} />
      </p>
      {showsPassage && (
        <blockquote class="skills-passage">
          <Marked text={withoutMarks(passage)} query={query} />
        </blockquote>
      )}
      {bestTool !== undefined && bestTool.description !== '' && (
        <p class="quiet skills-small">
          {bdi(foreignCut(bestTool.name, longest), 'mono')}: <Marked text={bestTool.description} query={query} />
        </p>
      )}
      {((may('run') && tools.length > 0) || hit.copies.length > 0) && (
        <p class="row">
          {may('run') && tools.map((tool) => <Tool key={tool} skill={name} tool={tool} />)}
          {hit.copies.length > 0 && <Copies copies={hit.copies} />}
        </p>
      )}
    </li>
  );
}

/** The letters and digits of a text, for comparing: a passage has no Markdown marks, and a description may. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}

function Tool({ skill, tool }: { readonly skill: string; readonly tool: string }) {
  return (
    <a class="skills-small" href={hrefOf('run', [skill, tool])}>
      Run {bdi(foreignCut(tool, longest), 'mono')}
    </a>
  );
}

/** Copies of the skill in other places. */
function Copies({ copies }: { readonly copies: SearchHit['copies'] }) {
  return (
    <span class="quiet skills-small">
      also as{' '}
      {copies.map(({ name, path }, place) => (
        <Fragment key={path}>
          {place > 0 && ', '}
          <a href={hrefOf('skill', [name], { of: path })} title={foreign(path)}>
            {bdi(foreignCut(name, longest))}
          </a>
        </Fragment>
      ))}
    </span>
  );
}

function Marked({ text, query }: { readonly text: string; readonly query: string }) {
  return (
    <bdi>
      {markedParts(foreignCut(text, longest), query).map(({ text: part, isMarked }, place) =>
        isMarked ? <mark key={place}>{part}</mark> : part,
      )}
    </bdi>
  );
}
