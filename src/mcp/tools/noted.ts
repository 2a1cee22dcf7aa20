import type { Noted } from '../../engine/activity/note.ts';
import { fileOf, outcomeOf } from '../noting.ts';
import type { ToolId } from './definitions.ts';
import type { ToolContext, ToolResult } from './tool.ts';

type Facts = Readonly<Record<string, unknown>>;
type Told = Pick<Noted, 'what' | 'skill' | 'detail' | 'hits'>;

/** What each tool did, by what it was given and what it has answered. What runs is in the audit log. */
const notes: { readonly [T in ToolId]?: (given: Facts, answered: Facts) => Told } = {
  skill: (given, answered) => ({
    what: 'loaded',
    skill: String(answered['name'] ?? given['name']),
    detail: fileOf(answered['file'] ?? given['file']),
  }),
  'skills.search': searched,
  'skill-engine/search_skills': searched,
};

function searched({ query }: Facts, { total, results }: Facts): Told {
  const found = Array.isArray(results) ? results.length : 0;
  return { what: 'searched', detail: String(query), hits: typeof total === 'number' ? total : found };
}

/** Calls a tool, and notes what it did where that is worth a note. */
export async function noted(
  { note, caller }: ToolContext,
  id: ToolId,
  given: Facts,
  call: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const tell = notes[id];
  if (tell === undefined) return call();
  const began = Date.now();
  try {
    const result = await call();
    const outcome = result.isError ? 'not-found' : 'ok'; // whatever else goes wrong is thrown
    note({ ...tell(given, result.structuredContent ?? {}), outcome, durationMs: Date.now() - began }, caller.client);
    return result;
  } catch (error) {
    note({ ...tell(given, {}), outcome: outcomeOf(error), durationMs: Date.now() - began }, caller.client);
    throw error;
  }
}
