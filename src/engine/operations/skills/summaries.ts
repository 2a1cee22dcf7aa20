import { SkillError } from '../../../core/errors.ts';
import { flag, optional, text } from '../../../core/schema/schema.ts';
import { showHidden } from '../../../core/text/hidden.ts';
import { fold } from '../../../core/text/text.ts';
import { createSlicer } from '../../../core/time-slice.ts';
import { distinctName } from '../../../registry/resolve.ts';
import { headOf } from '../../../skill/head.ts';
import type { Skill } from '../../../skill/types.ts';
import { audienceOf } from '../../engine.ts';
import { readSkillFile } from '../../loading/load.ts';
import { defineOperation } from '../../operation.ts';
import { type SkillSummary, summaryOf } from '../../summary.ts';

export interface SummariesOutput {
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
