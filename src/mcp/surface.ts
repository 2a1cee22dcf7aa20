import { type Settings, settings } from '../config/settings.ts';
import { type ToolId, toolIds } from './tools/definitions.ts';
import { listTools } from './tools/list.ts';
import { type ToolNaming, toolsNamed } from './tools/names.ts';

/** What one start command shows to clients. */
export interface Profile {
  /** The name by which the server introduces itself. */
  readonly name: string;
  readonly tools: readonly ToolId[];
}

/** One server with three faces, each as the clients of an earlier one know it. */
export const profiles = {
  mcp: { name: 'repertoire', tools: ['skill'] },
  'mcp-server': { name: 'sk-mcp', tools: ['skills.list', 'skills.search'] },
  serve: { name: 'repertoire', tools: toolIds },
} as const satisfies Readonly<Record<string, Profile>>;

export type ProfileName = keyof typeof profiles;

/** The tools that are listed, and how. It is the same on every connection. */
export interface Surface {
  readonly tools: readonly ToolId[];
  readonly naming: ToolNaming;
  readonly budget: number;
  /** Whether texts are sent to a service to be embedded. */
  readonly embedsElsewhere: boolean;
}

/** What a profile shows, once the settings have had their say. */
export function surfaceOf(profile: Profile, values: Settings): Surface {
  const tools = values.tools.length > 0 ? toolsNamed(values.tools) : profile.tools;
  const shown = { tools, naming: values.toolNames, embedsElsewhere: values.embeddingsUrl !== undefined };
  return { ...shown, budget: budgetOf(values, shown) };
}

/** What the list of tools may weigh in all unless more is asked for, with some room for what wraps it. */
const listBytes = 19_500;

/** By default the catalogue makes do with what the other tools leave of the list; a budget that was set is kept. */
function budgetOf({ catalogBudget }: Settings, shown: Omit<Surface, 'budget'>): number {
  if (catalogBudget !== settings.catalogBudget.fallback) return catalogBudget;
  return Math.min(catalogBudget, listBytes - Buffer.byteLength(JSON.stringify(listTools(shown, ''))));
}
