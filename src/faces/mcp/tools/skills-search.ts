import { count, oneLine } from '../../../core/text/text.ts';
import { search as operation } from '../../../engine/operations/skills/search.ts';
import type { ExactOutput } from '../../../engine/searching/exact.ts';
import { answer, defineTool } from './tool.ts';

/** Finds the skills that hold every word of the query. */
export const skillsSearch = defineTool({
  operation,
  input: ({ query, limit }) => ({ query: [query as string], limit: limit as number, exact: true }),
  answer(output, { query }) {
    const found = output as ExactOutput;
    const results = found.results.map(({ fullName: _fullName, provider: _provider, ...hit }) => hit);
    const lines = found.results.map(({ fullName, excerpt }) => `- ${oneLine(fullName)}: ${oneLine(excerpt)}`);
    const part = results.length === 1 ? ', the first' : `, the first ${results.length}`;
    const head = `${count(found.total, 'skill')} matching "${oneLine(query as string)}"${found.total > results.length ? part : ''}.`;
    return answer([head, ...lines].join('\n'), { ...found, results });
  },
});
