import { integer } from '../../../core/schema/schema.ts';
import { showHidden } from '../../../core/text/hidden.ts';
import { requireSkill } from '../../../registry/resolve.ts';
import type { Snapshot } from '../../../registry/snapshot.ts';
import { runtimeOfWork } from '../../../run/tools/manifest/tool-work.ts';
import type { JsonSchema } from '../../../run/tools/types.ts';
import { type CatalogueSkill, catalogueOf } from '../../catalogue.ts';
import type { Engine } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';
import { toolboxFor } from '../../toolbox.ts';

export interface InstalledTool {
  readonly name: string;
  readonly runtime: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export interface InstalledSkill extends CatalogueSkill {
  readonly runtime: string;
  readonly tools: readonly InstalledTool[];
}

export interface InstalledOutput {
  readonly skills: readonly InstalledSkill[];
  readonly offset: number;
  readonly total: number;
}

const most = 500;

/** Lists the skills that models see with their tools, a page at a time. */
export const installed = defineOperation({
  name: 'installed',
  right: 'see',
  effect: 'reads',
  input: {
    limit: integer('Show at most this many.', { min: 1, default: 50 }),
    offset: integer('Skip this many.', { min: 0, default: 0 }),
  },
  async run(engine, { limit, offset }): Promise<InstalledOutput> {
    const snapshot = await engine.registry.snapshot();
    const all = catalogueOf(snapshot);
    const page = all.slice(offset, offset + Math.min(limit, most));
    const skills = await Promise.all(page.map((entry) => withTools(engine, snapshot, entry)));
    return { skills, offset, total: all.length };
  },
});

async function withTools(engine: Engine, snapshot: Snapshot, entry: CatalogueSkill): Promise<InstalledSkill> {
  const { runtime, tools } = await toolboxFor(engine.environment, requireSkill(snapshot, entry.name));
  return {
    ...entry,
    description: showHidden(entry.description).text,
    runtime,
    tools: tools.map(({ name, description, parameters, work }) => {
      return { name, runtime: runtimeOfWork(work), description, parameters };
    }),
  };
}
