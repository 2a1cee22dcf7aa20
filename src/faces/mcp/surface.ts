import type { Configuration } from '../../core/config/layers.ts';
import { wrongAt } from '../../engine/running/wrong-settings.ts';
import { type ToolId, type ToolNaming, toolIds, toolsNamed } from './tools/definitions.ts';

/** The tools and the name that one start command shows to clients. */
export interface Profile {
  /** The name by which the server introduces itself. */
  readonly name: string;
  readonly tools: readonly ToolId[];
}

/** Profiles of one server, each with the tools that the clients of an earlier server know. */
export const profiles = {
  mcp: { name: 'repertoire', tools: ['skill'] },
  'mcp-server': { name: 'sk-mcp', tools: ['skills.list', 'skills.search'] },
  serve: { name: 'repertoire', tools: toolIds },
} as const satisfies Readonly<Record<string, Profile>>;

export type ProfileName = keyof typeof profiles;

/** The listed tools and how they are listed, the same on every connection. */
export interface Surface {
  /** The name by which the server introduces itself. */
  readonly name: string;
  readonly tools: readonly ToolId[];
  readonly naming: ToolNaming;
  /** The value of `--catalog-budget`, and whether it was set. */
  readonly budget: number;
  readonly isBudgetSet: boolean;
  /** Whether every tool answers with structured data beside its text. */
  readonly structured: boolean;
  /** Whether texts are sent to a service to be embedded. */
  readonly embedsElsewhere: boolean;
  /** The place where the project's settings are wrong, and so ignored; null where they are not. */
  readonly wrongAt: string | null;
}

/** The surface of a profile with the settings applied. */
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

/** Capabilities that this server announces to every client. */
export const capabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
};
