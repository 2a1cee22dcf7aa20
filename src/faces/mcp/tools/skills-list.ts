import { count, oneLine } from '../../../core/text/text.ts';
import { summaries as operation } from '../../../engine/operations/skills/summaries.ts';
import { answer, defineTool } from './tool.ts';

const shown = 50;

/** Lists the skills with their metadata: all, or those whose name or description holds a text. */
export const skillsList = defineTool({
  operation,
  input: ({ query, includeBody }) => ({
    query: query as string | undefined,
    includeBody: includeBody as boolean | undefined,
  }),
  answer({ skills }, { query = '' }) {
    const asked = query as string;
    const matching = asked.trim() === '' ? '' : ` matching "${oneLine(asked)}"`;
    const lines = skills.slice(0, shown).map(({ name, description }) => `- ${oneLine(name)}: ${oneLine(description)}`);
    const rest = skills.length > shown ? [`… and ${skills.length - shown} more in the structured result`] : [];
    const text = [`${count(skills.length, 'skill')}${matching}.`, ...lines, ...rest].join('\n');
    return answer(text, { skills: skills.map(({ summary }) => summary) });
  },
});
