import { SkillError } from '../../kernel/errors.ts';
import { count, oneLine } from '../../kernel/text.ts';
import { catalogueOf } from '../catalogue/entries.ts';
import { answer, type ToolContext, type ToolResult } from './tool.ts';

const most = 500;

/** The installed skills, a page at a time. */
export async function callListSkills(
  { engine, check }: ToolContext,
  input: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const { limit, offset } = input as { limit: number; offset: number };
  if (!Number.isInteger(limit) || limit < 1) throw new SkillError('usage', '`limit` must be a whole number from 1');
  if (!Number.isInteger(offset) || offset < 0) throw new SkillError('usage', '`offset` must be a whole number from 0');
  await check();
  const all = catalogueOf(await engine.registry.snapshot());
  const skills = all.slice(offset, offset + Math.min(limit, most));
  const next = offset + skills.length;
  const hasMore = next < all.length;
  const text = [
    `${count(all.length, 'skill')} installed${shownOf(skills.length, all.length, offset)}.`,
    ...skills.map(({ name, description }) => `- ${oneLine(name)}: ${oneLine(description)}`),
    ...(hasMore ? [`Call again with offset ${next} for more.`] : []),
  ].join('\n');
  return answer(text, { skills, total: all.length, ...(hasMore ? { nextOffset: next } : {}) });
}

function shownOf(shown: number, total: number, offset: number): string {
  if (shown === total) return '';
  return shown === 0 ? `, none from offset ${offset} on` : `, ${offset + 1} to ${offset + shown} shown`;
}
