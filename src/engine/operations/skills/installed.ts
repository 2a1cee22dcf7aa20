import { SkillError } from '../../../core/errors.ts';
import { flag, integer, optional, text } from '../../../core/schema/schema.ts';
import { showHidden } from '../../../core/text/hidden.ts';
import { fold } from '../../../core/text/text.ts';
import { createSlicer } from '../../../core/time-slice.ts';
import { distinctName, requireSkill } from '../../../registry/resolve.ts';
import type { Snapshot } from '../../../registry/snapshot.ts';
import { runtimeOfWork } from '../../../run/tools/manifest/tool-work.ts';
import type { JsonSchema } from '../../../run/tools/types.ts';
import { headOf } from '../../../skill/fences.ts';
import type { Skill } from '../../../skill/types.ts';
import { type CatalogueSkill, catalogueOf } from '../../catalogue.ts';
import { audienceOf, type Engine } from '../../engine.ts';
import { readSkillFile } from '../../loading/load.ts';
import { defineOperation } from '../../operation.ts';
import { type SkillSummary, summaryOf } from '../../summary.ts';
import { toolboxFor } from '../../toolbox.ts';

export interface InstalledTool {
  readonly name: string;
  readonly runtime: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

interface InstalledSkill extends CatalogueSkill {
  readonly runtime: string;
  readonly tools: readonly InstalledTool[];
}

interface InstalledOutput {
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

interface SummariesOutput {
  readonly skills: readonly {
    /** The name by which it is loaded. */
    readonly name: string;
    readonly description: string;
    readonly summary: SkillSummary & { readonly body?: string };
  }[];
}

/** Sums up every skill, or those whose name or description contains a text. */
export const summaries = defineOperation({
  name: 'summaries',
  right: 'see',
  effect: 'reads',
  input: {
    query: optional(text('Only skills whose name or description holds this.')),
    includeBody: flag('Whether to add the text of each, without its front matter.', { default: false }),
  },
  async run({ registry, environment }, { query = '', includeBody }, request): Promise<SummariesOutput> {
    const snapshot = await registry.snapshot();
    const wanted = fold(query.trim());
    const slicer = createSlicer();
    const skills: SummariesOutput['skills'][number][] = [];
    for (const skill of snapshot.shownTo(audienceOf(request))) {
      if (slicer.isDue) await slicer.pause();
      const summary = summaryOf(skill, environment);
      if (!holds(summary, wanted)) continue;
      skills.push({
        name: distinctName(snapshot, skill),
        description: skill.description,
        summary: includeBody ? { ...summary, ...bodyIn(skill) } : summary,
      });
    }
    return { skills };
  },
});

function holds({ installName, meta }: SkillSummary, wanted: string): boolean {
  return [installName, meta.name, meta.description].some((one) => fold(one).includes(wanted));
}

/** The text below the front matter, line ends as they are; empty for a skill that has just gone. */
function bodyIn(skill: Skill): { readonly body?: string } {
  try {
    const written = readSkillFile(skill).toString('utf8');
    return { body: showHidden(headOf(written)?.body ?? written.replace(/^\ufeff/, '')).text };
  } catch (error) {
    if (error instanceof SkillError) return {};
    throw error;
  }
}
