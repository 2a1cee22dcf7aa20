import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { counted } from '../../core/text/text.ts';
import type { BrowseOutput, BrowseRow } from '../../engine/operations/skills/browse.ts';
import { mendHref } from '../markdown/address.ts';
import { bdi, Empty } from '../parts/elements.tsx';
import { Icon } from '../parts/icon.tsx';
import { Table } from '../parts/table.tsx';
import { foreign, foreignCut, message, place } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { may } from '../session.ts';
import { chosenCount, type Filters, labelOf } from './facets.ts';
import { hrefWithout } from './filter-panel.tsx';
import { type Family, familiesOf, pageSize } from './load.ts';
import { Select, type Selection } from './selection.tsx';
import { view } from './views.tsx';

interface SkillListProps {
  readonly listing: BrowseOutput;
  readonly filters: Filters;
  readonly isLoading: boolean;
  readonly showMore: () => void;
  readonly selection: Selection;
}

/** The skills page by page. A button for more moves the focus to the first new one. */
export function SkillList({ listing, filters, isLoading, showMore, selection }: SkillListProps) {
  const list = useRef<HTMLDivElement>(null);
  const next = useRef<number | null>(null);
  const { rows, total } = listing;
  const families = filters.state === '' && filters.sort === '' ? familiesOf(rows) : rows.map(alone);
  useLayoutEffect(() => {
    if (next.current === null || families.length <= next.current) return;
    list.current?.querySelectorAll<HTMLElement>('h2 a')[next.current]?.focus();
    next.current = null;
  }, [families.length]);
  const more = (): void => {
    next.current = families.length;
    showMore();
  };
  if (total === 0) return <NoSkills filters={filters} isEmpty={listing.all === 0} />;
  const View = view.value === 'table' ? SkillTable : SkillCards;
  return (
    <>
      <div ref={list}>
        <View families={families} selection={selection} />
      </div>
      {rows.length < total && (
        <button type="button" class="skills-more" disabled={isLoading && next.current !== null} onClick={more}>
          Show {Math.min(pageSize, total - rows.length)} more
        </button>
      )}
    </>
  );
}

function alone(row: BrowseRow): Family {
  return { row, twins: [] };
}

interface ViewProps {
  readonly families: readonly Family[];
  readonly selection: Selection;
}

function SkillCards({ families, selection }: ViewProps) {
  return (
    <ul class="skills-list" aria-label="Skills">
      {families.map(({ row, twins }) => (
        <SkillRow key={row.file} row={row} twins={twins} selection={selection} />
      ))}
    </ul>
  );
}

/** The skills in a table: more of them at a glance. */
function SkillTable({ families, selection }: ViewProps) {
  return (
    <Table
      label="Skills"
      look="skills-table"
      rows={families}
      keyOf={({ row }) => row.file}
      columns={[
        ...(may('disable') ? [selected(selection)] : []),
        { title: 'Name', show: ({ row }) => <SkillTitle name={row.name} of={addressedBy(row)} /> },
        {
          title: 'Description',
          show: ({ row }) => <span class="skills-line">{bdi(foreignCut(row.description, longestDescription))}</span>,
        },
        { title: 'From', show: ({ row }) => originInWords(row) },
        { title: 'Tools', show: ({ row }) => (row.tools > 0 ? row.tools : ''), look: 'number' },
        {
          title: 'State',
          show: ({ row, twins }) => (
            <>
              <StateBadges states={row.states} />
              {twins.length > 0 && <span class="quiet"> {counted(twins.length, 'twin')}</span>}
            </>
          ),
        },
      ]}
    />
  );
}

function selected(selection: Selection) {
  return {
    title: 'Selected',
    show: ({ row }: Family) => <Select selection={selection} file={row.file} name={row.name} />,
    isUntitled: true as const,
  };
}

function originInWords({ provider, location, plugin }: BrowseRow): string {
  return foreignCut([provider, plugin ?? location].join(' · '), longest);
}

function NoSkills({ filters, isEmpty }: { readonly filters: Filters; readonly isEmpty: boolean }) {
  if (!isEmpty && chosenCount(filters) > 0) {
    return (
      <Empty icon="skills" title="No skill matches these filters">
        <a href={hrefWithout(filters)}>Show all skills</a>
      </Empty>
    );
  }
  return (
    <Empty icon="skills" title="There are no skills yet">
      <p>A skill is a folder with a file SKILL.md, below a folder that your agents search.</p>
      <p>
        <a href={hrefOf('home')}>Three ways to begin</a>, or in a terminal: <code>repertoire new skill my-skill</code>
      </p>
    </Empty>
  );
}

const longestDescription = 600;
const longestName = 200;

interface RowProps extends Family {
  readonly selection: Selection;
}

function SkillRow({ row, twins, selection }: RowProps) {
  return (
    <li class="card skills-row">
      <SkillTitle name={row.name} of={addressedBy(row)}>
        <StateBadges states={row.states} />
        <span class="row skills-facts">
          {row.tools > 0 && <span class="quiet skills-small">{counted(row.tools, 'tool')}</span>}
          {row.runtime !== 'none' && <Badge kind="Runtime" text={labelOf('runtime', row.runtime)} />}
          <PlaceBadges {...row} />
        </span>
        <Select selection={selection} file={row.file} name={row.name} />
      </SkillTitle>
      <p class="skills-description">{bdi(foreignCut(row.description, longestDescription))}</p>
      <Notes row={row} />
      {twins.length > 0 && (
        <details class="skills-twins">
          <summary>{counted(twins.length, 'other')} of this name</summary>
          <ul aria-label={`Others called ${foreignCut(row.fullName, longest)}`}>
            {twins.map((twin) => (
              <li key={twin.file}>
                <div class="row">
                  <a href={hrefOf('skill', [twin.name], { of: addressedBy(twin) })}>
                    {bdi(foreignCut(twin.name, longestName))}
                  </a>
                  <StateBadges states={twin.states} />
                  <PlaceBadges {...twin} />
                </div>
                <Notes row={twin} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** Why a skill is not as it was written, and what to do. */
function Notes({ row: { notes } }: { readonly row: BrowseRow }) {
  if (notes.length === 0) return null;
  return (
    <ul class="skills-notes">
      {notes.map(({ message: what, remedy }) => (
        <li key={what}>
          {bdi(message(what))}
          <br />
          <span class="quiet">{bdi(message(remedy))}</span>
        </li>
      ))}
    </ul>
  );
}

/** The file by which a skill is addressed that its name does not lead to; empty for any other. */
function addressedBy({ states, file }: BrowseRow): string {
  return states.includes('shadowed') ? file : '';
}

interface TitleProps {
  readonly name: string;
  readonly of?: string;
  readonly children?: ComponentChildren;
}

/** The name of a skill, as a link to its page. */
export function SkillTitle({ name, of = '', children }: TitleProps) {
  return (
    <div class="row">
      <h2 class="skills-name">
        <a href={hrefOf('skill', [name], { of })}>{bdi(foreignCut(name, longestName))}</a>
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
      {bdi(foreignCut(text, longest))}
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
                {bdi(place(one.file))}
                {one.line !== null && <span class="quiet">, line {one.line}</span>}
              </p>
              <p>{bdi(message(one.message))}</p>
              <p class="quiet">{bdi(message(one.remedy))}</p>
              <p>
                <Mend file={one.file} line={one.line} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The way to the editor of a SKILL.md that was skipped. */
function Mend({ file, line }: Pick<Diagnostic, 'file' | 'line'>) {
  const href = may('edit') ? mendHref(file, line) : null;
  if (href === null) return null;
  return (
    <a class="button" href={href}>
      <Icon name="edit" /> Fix<span class="hidden"> {foreign(file)}</span>
    </a>
  );
}
