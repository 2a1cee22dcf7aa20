import type { Configuration } from '../../core/config/layers.ts';
import { wrongAt } from '../../engine/running/wrong-settings.ts';
import { type ToolId, toolIds } from './tools/definitions.ts';
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
  /** The name by which the server introduces itself. */
  readonly name: string;
  readonly tools: readonly ToolId[];
  readonly naming: ToolNaming;
  /** `--catalog-budget`, and whether somebody has set it. */
  readonly budget: number;
  readonly isBudgetSet: boolean;
  /** Whether every tool answers with data beside its text. */
  readonly structured: boolean;
  /** Whether texts are sent to a service to be embedded. */
  readonly embedsElsewhere: boolean;
  /** Where the project's settings are wrong, and so do not count; null where they are not. */
  readonly wrongAt: string | null;
}

/** What a profile shows, once the settings have had their say. */
export function surfaceOf({ name, tools }: Profile, { values, origins, problems }: Configuration): Surface {
  return {
    name,
    tools: values.tools.length > 0 ? toolsNamed(values.tools, origins.tools.where) : tools,
    naming: values.toolNames,
    budget: values.catalogBudget,
    isBudgetSet: origins.catalogBudget.from !== 'default',
    structured: values.structured,
    embedsElsewhere: values.embeddingsUrl !== undefined,
    wrongAt: wrongAt(problems),
  };
}
