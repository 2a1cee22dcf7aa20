import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { counted } from '../../core/text/text.ts';
import type { BrowseOutput, BrowseRow } from '../../engine/operations/skills/browse.ts';
import { foreign, foreignCut } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { chosenCount, type Filters, labelOf } from './facets.ts';
import { hrefWithout } from './filter-panel.tsx';
import { pageSize } from './load.ts';

interface SkillListProps {
  readonly listing: BrowseOutput;
  readonly filters: Filters;
  readonly isLoading: boolean;
  readonly showMore: () => void;
}

/** The skills page by page. A button for more moves the focus to the first new one. */
export function SkillList({ listing, filters, isLoading, showMore }: SkillListProps) {
  const list = useRef<HTMLUListElement>(null);
  const next = useRef<number | null>(null);
  const { rows, total } = listing;
  useLayoutEffect(() => {
    if (next.current === null || rows.length <= next.current) return;
    list.current?.querySelectorAll<HTMLElement>(':scope > li h2 a')[next.current]?.focus();
    next.current = null;
  }, [rows.length]);
  const more = (): void => {
    next.current = rows.length;
    showMore();
  };
  if (total === 0) return <NoSkills filters={filters} isEmpty={listing.all === 0} />;
  return (
    <>
      <ul class="skills-list" ref={list} aria-label="Skills">
        {rows.map((row) => (
          <SkillRow key={row.file} row={row} />
        ))}
      </ul>
      {rows.length < total && (
        <button type="button" class="skills-more" disabled={isLoading && next.current !== null} onClick={more}>
          Show {Math.min(pageSize, total - rows.length)} more
        </button>
      )}
    </>
  );
}

function NoSkills({ filters, isEmpty }: { readonly filters: Filters; readonly isEmpty: boolean }) {
  if (!isEmpty && chosenCount(filters) > 0) {
    return (
      <p class="notice">
        No skill matches these filters. <a href={hrefWithout(filters)}>Show all skills</a>
      </p>
    );
  }
  return (
    <div class="notice">
      <p>There are no skills yet. A skill is a folder with a file SKILL.md, below one that your agents search.</p>
      <p>
        To write the first: <code>repertoire new my-skill</code>. To see which folders are searched:{' '}
        <code>repertoire doctor</code>.
      </p>
    </div>
  );
}

const longestDescription = 600;
const longestName = 200;

function SkillRow({ row }: { readonly row: BrowseRow }) {
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

/** The name of a skill, as a link to its page. */
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

const longest = 60;

/** A word about a skill. Its kind is there for screen readers, and as a tooltip. */
function Badge({ kind, text }: { readonly kind: string; readonly text: string }) {
  return (
    <span class="badge" title={kind}>
      <span class="hidden">{kind}: </span>
      <bdi>{foreignCut(text, longest)}</bdi>
    </span>
  );
}

interface Placed {
  readonly provider: string;
  readonly location: string;
  readonly plugin: string | null;
}

/** The origin of a skill. */
export function PlaceBadges({ provider, location, plugin }: Placed) {
  return (
    <>
      <Badge kind="Provider" text={provider} />
      {location !== provider && <Badge kind="Location" text={location} />}
      {plugin !== null && plugin !== provider && <Badge kind="Plugin" text={plugin} />}
    </>
  );
}

const tones: Readonly<Record<string, string>> = {
  repaired: 'warn',
  'broken-tools': 'bad',
  ambiguous: 'warn',
  shadowed: 'warn',
  'look-alike': 'warn',
  quarantined: 'bad',
};

export function StateBadges({ states }: { readonly states: readonly string[] }) {
  return (
    <>
      {states
        .filter((state) => state !== 'plain')
        .map((state) => (
          <span key={state} class={`badge ${tones[state] ?? ''}`}>
            {labelOf('state', state)}
          </span>
        ))}
    </>
  );
}

/** Files that look like skills, and could not be used: with place, reason and remedy. */
export function SkippedFiles({ skipped }: { readonly skipped: readonly Diagnostic[] }) {
  return (
    <section aria-labelledby="skills-skipped">
      <h2 id="skills-skipped">Skipped files ({skipped.length})</h2>
      {skipped.length === 0 ? (
        <p class="quiet">No file was skipped: every SKILL.md that was found can be used.</p>
      ) : (
        <ul class="skills-list">
          {skipped.map((one) => (
            <li key={`${one.file}:${one.line}:${one.code}:${one.message}`} class="card skills-row">
              <p class="mono">
                <bdi>{foreign(one.file)}</bdi>
                {one.line !== null && <span class="quiet">, line {one.line}</span>}
              </p>
              <p>
                <bdi>{foreign(one.message)}</bdi>
              </p>
              <p class="quiet">
                <bdi>{foreign(one.remedy)}</bdi>
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
