import { readSkillFile } from '../../engine/load.ts';
import { type SkillSummary, summaryOf } from '../../engine/summary.ts';
import { SkillError } from '../../kernel/errors.ts';
import { showHidden } from '../../kernel/hidden.ts';
import { count, fold, oneLine } from '../../kernel/text.ts';
import { createSlicer } from '../../kernel/time-slice.ts';
import { headOf } from '../../skill/head.ts';
import type { Skill } from '../../skill/types.ts';
import { answer, type ToolContext, type ToolResult } from './tool.ts';

/** Every skill with its metadata, or those whose name or description holds a text. */
export async function callSkillsList(
  { engine, check }: ToolContext,
  input: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const { query, includeBody } = input as { query?: string; includeBody?: boolean };
  await check();
  const snapshot = await engine.registry.snapshot();
  const wanted = fold(query?.trim() ?? '');
  const slicer = createSlicer();
  const skills: (SkillSummary & { readonly body?: string })[] = [];
  const lines: string[] = [];
  for (const skill of snapshot.shownTo('models')) {
    if (slicer.isDue) await slicer.pause();
    const summary = summaryOf(skill, engine.environment);
    if (!holds(summary, wanted)) continue;
    skills.push(includeBody ? { ...summary, ...bodyIn(skill) } : summary);
    if (lines.length < shown) lines.push(`- ${oneLine(skill.fullName)}: ${oneLine(skill.description)}`);
  }
  const matching = wanted === '' ? '' : ` matching "${oneLine(query ?? '')}"`;
  const rest = skills.length > shown ? [`… and ${skills.length - shown} more in the structured result`] : [];
  return answer([`${count(skills.length, 'skill')}${matching}.`, ...lines, ...rest].join('\n'), { skills });
}

const shown = 50;

function holds({ installName, meta }: SkillSummary, wanted: string): boolean {
  return [installName, meta.name, meta.description].some((text) => fold(text).includes(wanted));
}

/** The text below the front matter, line ends as they are; nothing for a skill that has just gone. */
function bodyIn(skill: Skill): { readonly body?: string } {
  try {
    const text = readSkillFile(skill).toString('utf8');
    return { body: showHidden(headOf(text)?.body ?? text.replace(/^\ufeff/, '')).text };
  } catch (error) {
    if (error instanceof SkillError) return {};
    throw error;
  }
}
