import { count, cut, oneLine } from '../../../core/text/text.ts';
import { type InstalledTool, installed as operation } from '../../../engine/operations/skills/installed.ts';
import { answer, defineTool } from './tool.ts';

/** The installed skills, a page at a time. */
export const listSkills = defineTool({
  operation,
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
