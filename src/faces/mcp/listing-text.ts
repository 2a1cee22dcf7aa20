import { catalogueOf } from '../../engine/catalogue.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { type DescriptionOptions, describeSkillTool } from './catalogue/description.ts';
import { writeInstructions } from './catalogue/instructions.ts';
import type { CatalogueEntry } from './catalogue/weight.ts';
import type { Surface } from './surface.ts';
import type { ToolId } from './tools/definitions.ts';
import { listedName } from './tools/definitions.ts';
import { listTools } from './tools/list.ts';

/** The texts that clients show to models. */
export interface ListingText {
  /** The description of the tool `skill`. */
  readonly description: string;
  readonly instructions: string;
}

const texts = new WeakMap<Snapshot, ListingText>();

/** The texts for a snapshot. Written once: there may be many clients, and they ask often. */
export function listingTextOf(snapshot: Snapshot, surface: Surface): ListingText {
  let listingText = texts.get(snapshot);
  if (listingText === undefined) {
    listingText = writeListingText(catalogueOf(snapshot), surface);
    texts.set(snapshot, listingText);
  }
  return listingText;
}

/** The instructions of a server that cannot reach its cluster, and says so. */
export function instructionsApart(snapshot: Snapshot | undefined, surface: Surface): string {
  const entries = snapshot === undefined ? null : catalogueOf(snapshot);
  return writeListingText(entries, surface, true).instructions;
}

/** The texts for any entries; null where the skills have not been read yet. */
export function writeListingText(
  entries: readonly CatalogueEntry[] | null,
  surface: Surface,
  isApart = false,
): ListingText {
  const { name: server, tools, naming, wrongAt } = surface;
  const named = (id: ToolId): string | null => (tools.includes(id) ? listedName(id, naming) : null);
  const searchWith = named('skill-engine/search_skills') ?? named('skills.search');
  return {
    description: tools.includes('skill')
      ? describeSkillTool(entries, { server, searchWith, ...budgetOf(surface, searchWith) })
      : '',
    instructions: writeInstructions(entries, {
      server,
      wrongAt,
      isApart,
      tools: {
        skill: named('skill'),
        list: named('skills.list'),
        search: named('skills.search'),
        engineList: named('skill-engine/list_skills'),
        engineSearch: named('skill-engine/search_skills'),
        execute: named('skill-engine/execute'),
      },
    }),
  };
}

/** Bytes that the whole list of tools may take by default, with some room for texts and what wraps it. */
const listBytes = 19_200;

/**
 * The budget of the catalogue: by default the bytes that the rest of the list of tools leaves; one that was set is
 * kept, and counts characters.
 */
function budgetOf(surface: Surface, searchWith: string | null): Pick<DescriptionOptions, 'budget' | 'unit'> {
  const { budget, isBudgetSet, name: server } = surface;
  if (isBudgetSet) return { budget, unit: 'characters' };
  const unit = 'bytes';
  const around = listTools(surface, describeSkillTool(null, { server, searchWith, budget, unit }));
  return { budget: Math.min(budget, listBytes - Buffer.byteLength(JSON.stringify(around))), unit };
}
