import { searchExactly } from '../../engine/searching/exact.ts';
import { count, oneLine } from '../../kernel/text.ts';
import { answer, type ToolContext, type ToolResult } from './tool.ts';

/** The skills that hold every word of the query. */
export async function callSkillsSearch(
  { engine, check }: ToolContext,
  input: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const { query, limit } = input as { query: string; limit: number };
  await check();
  const found = await searchExactly(engine, query, limit, { origin: 'mcp' });
  const results = found.results.map(({ fullName: _fullName, provider: _provider, ...hit }) => hit);
  const lines = found.results.map(({ fullName, excerpt }) => `- ${oneLine(fullName)}: ${oneLine(excerpt)}`);
  const head = `${count(found.total, 'skill')} matching "${oneLine(query)}"${found.total > results.length ? `, the first ${results.length}` : ''}.`;
  return answer([head, ...lines].join('\n'), { ...found, results });
}
