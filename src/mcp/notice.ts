import type { Snapshot } from '../registry/snapshot.ts';
import { describeSkillTool } from './catalogue/description.ts';
import { catalogueOf } from './catalogue/entries.ts';
import { writeInstructions } from './catalogue/instructions.ts';
import type { CatalogueEntry } from './catalogue/types.ts';
import type { Surface } from './surface.ts';
import type { ToolId } from './tools/definitions.ts';
import { listedName } from './tools/names.ts';

/** The texts that clients show to models. */
export interface Notice {
  /** The description of the tool `skill`. */
  readonly description: string;
  readonly instructions: string;
}

const notices = new WeakMap<Snapshot, Notice>();

/** What is said of a snapshot. Written once: there may be many clients, and they ask often. */
export function noticeOf(snapshot: Snapshot, surface: Surface): Notice {
  let notice = notices.get(snapshot);
  if (notice === undefined) {
    notice = writeNotice(catalogueOf(snapshot), surface);
    notices.set(snapshot, notice);
  }
  return notice;
}

/** The texts for any entries, such as none. */
export function writeNotice(entries: readonly CatalogueEntry[], surface: Surface): Notice {
  const { tools, naming, budget } = surface;
  const named = (id: ToolId): string | null => (tools.includes(id) ? listedName(id, naming) : null);
  return {
    description: tools.includes('skill')
      ? describeSkillTool(entries, {
          budget,
          searchWith: named('skill-engine/search_skills') ?? named('skills.search'),
        })
      : '',
    instructions: writeInstructions(entries, {
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
