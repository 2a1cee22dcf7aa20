import { diagnosticSchema } from '../../../core/diagnostics.ts';
import { choice, count, type Infer, integer, list, object, optional, text } from '../../../core/schema/schema.ts';
import { byText, cutAtWord } from '../../../core/text/text.ts';
import { createSlicer, runSliced } from '../../../core/time-slice.ts';
import { distinctName } from '../../../registry/resolve.ts';
import type { Snapshot } from '../../../registry/snapshot.ts';
import { locationSchema, locations, pluginSchema, runtimeSchema, runtimes } from '../../../skill/types.ts';
import { type Catalogue, catalogueOf, type Entry, skillStates } from '../../browsing/catalogue.ts';
import { facetsSchema, filterInSteps } from '../../browsing/facets.ts';
import { defineOperation } from '../../operation.ts';

export { type SkillState, skillStates } from '../../browsing/catalogue.ts';
export type { FacetValue } from '../../browsing/facets.ts';

/** A skill in a long list. */
const rowSchema = object({
  // For a skill that no name loads, the name it would have.
  name: text('The name that loads exactly this skill.'),
  fullName: text(),
  description: text('Shortened for a list.'),
  provider: text(),
  location: locationSchema,
  plugin: pluginSchema,
  runtime: runtimeSchema,
  tools: count('The number of its tools.'),
  // `plain` alone, or all others that hold.
  states: list(choice(skillStates)),
  notes: list(object({ message: text(), remedy: text() }), 'Why its state is not plain.'),
  file: text('Its SKILL.md.'),
});
export type BrowseRow = Infer<typeof rowSchema>;

const output = object({
  rows: list(rowSchema),
  offset: count(),
  total: count('How many match these filters.'),
  all: count('How many there are without filters.'),
  facets: facetsSchema,
  skipped: list(diagnosticSchema, 'Files that could not be used at all.'),
  disabled: list(object({ name: text(), entry: text('By which `enable` enables it.') }), 'Skills that were disabled.'),
  revision: text('Changes when the list does.'),
});
export type BrowseOutput = Infer<typeof output>;

const descriptionLength = 300;

const sorts = ['name', 'provider', 'tools'] as const;

/** The orders other than that of the catalogue, which decides where these do not. */
const orders: Readonly<Record<Exclude<(typeof sorts)[number], 'name'>, (a: Entry, b: Entry) => number>> = {
  provider: (a, b) => byText(a.skill.provider, b.skill.provider),
  tools: (a, b) => b.tools - a.tools,
};

/** The part of a catalogue that these files are in; all of it where none is named. */
function among(catalogue: Catalogue, files: readonly string[]): Catalogue {
  if (files.length === 0) return catalogue;
  const wanted = new Set(files);
  return { ...catalogue, entries: catalogue.entries.filter(({ skill }) => wanted.has(skill.file)) };
}

/** Lists the skills page by page, for browsing. */
export const browse = defineOperation({
  name: 'browse',
  right: 'see',
  effect: 'reads',
  input: {
    provider: optional(text('Only skills of this provider.')),
    location: optional(choice(locations, 'Only skills from this location.')),
    plugin: optional(text('Only skills of this plugin, with or without @marketplace.')),
    runtime: optional(choice(runtimes, 'Only skills whose tools use this runtime.')),
    state: optional(choice(skillStates, 'Only skills in this state.')),
    files: list(text(), 'Only the skills of these SKILL.md files, as a search names them.', { default: [] }),
    sort: choice(sorts, 'By name, by provider, or those with the most tools first.', { default: 'name' }),
    offset: integer('Skip this many.', { min: 0, default: 0 }),
    limit: integer('Show at most this many.', { min: 1, max: 500, default: 100 }),
  },
  output,
  async run(engine, { offset, limit, files, sort, ...wanted }): Promise<BrowseOutput> {
    const snapshot = await engine.registry.snapshot();
    const catalogue = await catalogueOf(engine, snapshot);
    const { passed, counts } = await runSliced(filterInSteps(among(catalogue, files), wanted), createSlicer());
    const ordered = sort === 'name' ? passed : passed.toSorted(orders[sort]);
    return {
      rows: ordered.slice(offset, offset + limit).map((entry) => rowOf(entry, snapshot)),
      offset,
      total: passed.length,
      all: catalogue.entries.length,
      facets: counts,
      skipped: catalogue.skipped,
      disabled: [...snapshot.disabled].map(([{ fullName: name }, entry]) => ({ name, entry })),
      revision: catalogue.revision,
    };
  },
});

function rowOf({ skill, runtime, tools, states, diagnostics }: Entry, snapshot: Snapshot): BrowseRow {
  const { fullName, description, provider, location, plugin, file } = skill;
  return {
    name: distinctName(snapshot, skill),
    fullName,
    description: cutAtWord(description, descriptionLength),
    provider,
    location,
    plugin,
    runtime,
    tools,
    states,
    notes: diagnostics.map(({ message, remedy }) => ({ message, remedy })),
    file,
  };
}
