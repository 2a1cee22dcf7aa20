import { count, cut, oneLine } from '../../../core/text/text.ts';
import { type InstalledTool, installed, summaries } from '../../../engine/operations/skills/installed.ts';
import { answer, defineTool } from './tool.ts';

/** The installed skills, a page at a time. */
export const listSkills = defineTool({
  operation: installed,
  input: ({ limit, offset }) => ({ limit: limit as number, offset: offset as number }),
  answer({ skills, offset, total }) {
    const next = offset + skills.length;
    const hasMore = next < total;
    const text = [
      `${count(total, 'skill')} installed${shownOf(skills.length, total, offset)}.`,
      ...skills.flatMap(({ name, description, tools }) => [
        `- ${oneLine(name)}: ${oneLine(description)}`,
        ...tools.map(
          (tool) => `  - ${signature(tool)} [${tool.runtime}]: ${cut(oneLine(tool.description), longestLine)}`,
        ),
      ]),
      ...(hasMore ? [`Call again with offset ${next} for more.`] : []),
    ].join('\n');
    return answer(text, { skills, total, ...(hasMore ? { nextOffset: next } : {}) });
  },
});

function shownOf(shown: number, total: number, offset: number): string {
  if (shown === total) return '';
  return shown === 0 ? `, none from offset ${offset} on` : `, ${offset + 1} to ${offset + shown} shown`;
}

/** Characters of a tool's line of text; its whole description is in the data. */
const longestLine = 200;

/** The signature of a tool: `get(resource, namespace?)`. */
function signature({ name, parameters }: InstalledTool): string {
  const required = (parameters['required'] ?? []) as readonly string[];
  const names = Object.keys((parameters['properties'] ?? {}) as object);
  return `${oneLine(name)}(${names.map((one) => oneLine(one) + (required.includes(one) ? '' : '?')).join(', ')})`;
}

const shownSkills = 50;

/** Lists the skills with their metadata: all, or those whose name or description holds a text. */
export const skillsList = defineTool({
  operation: summaries,
  input: ({ query, includeBody }) => ({
    query: query as string | undefined,
    includeBody: includeBody as boolean | undefined,
  }),
  answer({ skills }, { query = '' }) {
    const asked = query as string;
    const matching = asked.trim() === '' ? '' : ` matching "${oneLine(asked)}"`;
    const lines = skills
      .slice(0, shownSkills)
      .map(({ name, description }) => `- ${oneLine(name)}: ${oneLine(description)}`);
    const rest =
      skills.length > shownSkills ? [`… and ${skills.length - shownSkills} more in the structured result`] : [];
    const text = [`${count(skills.length, 'skill')}${matching}.`, ...lines, ...rest].join('\n');
    return answer(text, { skills: skills.map(({ summary }) => summary) });
  },
});
