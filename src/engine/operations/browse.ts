import type { Diagnostic } from '../../kernel/diagnostics.ts';
import { cut } from '../../kernel/text.ts';
import { createSlicer, runSliced } from '../../kernel/time-slice.ts';
import { distinctName } from '../../registry/resolve.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { locations, type Runtime, runtimes } from '../../skill/kinds.ts';
import type { Location } from '../../skill/types.ts';
import { catalogueOf, type Entry } from '../browsing/catalogue.ts';
import { type FacetCounts, siftSteps } from '../browsing/facets.ts';
import { type SkillState, skillStates } from '../browsing/states.ts';
import { defineOperation } from '../operation.ts';

export type { FacetValue } from '../browsing/facets.ts';
export { type SkillState, skillStates } from '../browsing/states.ts';

/** A skill in a long list. */
export interface BrowseRow {
  /** The name that loads this one and no other; of one that no name loads, what it would be called. */
  readonly name: string;
  readonly fullName: string;
  /** Cut to what a list shows. */
  readonly description: string;
  readonly provider: string;
  readonly location: Location;
  readonly plugin: string | null;
  readonly runtime: Runtime;
  /** How many tools it has. */
  readonly tools: number;
  /** `plain` alone, or all others that hold. */
  readonly states: readonly SkillState[];
  /** Why it is not plain, and what to do about it; empty for one that is. */
  readonly notes: readonly { readonly message: string; readonly remedy: string }[];
  readonly file: string;
}

export interface BrowseOutput {
  readonly rows: readonly BrowseRow[];
  readonly offset: number;
  /** How many there are with these filters. */
  readonly total: number;
  /** How many there are without any. */
  readonly all: number;
  /** Every value that any skill has, with how many of those that all other filters let through have it. */
  readonly facets: FacetCounts;
  /** Files that could not be used at all: errors of the scan, whatever the filters. */
  readonly skipped: readonly Diagnostic[];
  /** Changes when the list does. */
  readonly revision: string;
}

const descriptionLength = 300;

/** Goes through the skills page by page, for those who look around. */
export const browse = defineOperation({
  fields: {
    provider: { kind: 'text', value: 'NAME', description: 'Only skills of this provider.', completes: 'provider' },
    location: { kind: 'choice', choices: locations, description: 'Only skills from this location.' },
    plugin: { kind: 'text', value: 'NAME', description: 'Only skills of this plugin, with or without @marketplace.' },
    runtime: { kind: 'choice', choices: runtimes, description: 'Only skills whose tools use this runtime.' },
    state: { kind: 'choice', choices: skillStates, description: 'Only skills in this state.' },
    offset: { kind: 'integer', min: 0, default: 0, value: 'N', description: 'Skip this many.' },
    limit: { kind: 'integer', min: 1, max: 500, default: 100, value: 'N', description: 'Show at most this many.' },
  },
  async run(engine, { offset, limit, ...wanted }): Promise<BrowseOutput> {
    const snapshot = await engine.registry.snapshot();
    const catalogue = await catalogueOf(engine, snapshot);
    const { passed, counts } = await runSliced(siftSteps(catalogue, wanted), createSlicer());
    return {
      rows: passed.slice(offset, offset + limit).map((entry) => rowOf(entry, snapshot)),
      offset,
      total: passed.length,
      all: catalogue.entries.length,
      facets: counts,
      skipped: catalogue.skipped,
      revision: catalogue.revision,
    };
  },
});

function rowOf({ skill, runtime, tools, states, diagnostics }: Entry, snapshot: Snapshot): BrowseRow {
  const { fullName, description, provider, location, plugin, file } = skill;
  return {
    name: distinctName(snapshot, skill),
    fullName,
    description: cut(description, descriptionLength),
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
