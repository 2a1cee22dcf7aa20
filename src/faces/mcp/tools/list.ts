import { type Json, toJsonSchema } from '../../../core/schema/json-schema.ts';
import type { Surface } from '../surface.ts';
import {
  annotations,
  definitions,
  embedding,
  executing,
  inText,
  listedName,
  type ToolDefinition,
  type ToolId,
} from './definitions.ts';

/** A tool as `tools/list` gives it. */
export interface ListedTool extends Omit<ToolDefinition, 'input' | 'outputSchema'> {
  readonly name: string;
  readonly inputSchema: Json;
  readonly outputSchema?: ToolDefinition['outputSchema'];
  readonly annotations: { readonly [K in keyof typeof annotations]: boolean };
}

/** Lists the tools. The given description is that of `skill`; the others have their own. */
export function listTools({ tools, naming, embedsElsewhere, structured }: Surface, description: string): ListedTool[] {
  return tools.map((id) => {
    const { input, outputSchema, ...definition }: ToolDefinition = definitions[id];
    return {
      name: listedName(id, naming),
      ...definition,
      ...(id === 'skill' ? { description } : {}),
      inputSchema: toJsonSchema(input),
      ...((structured || !inText.includes(id)) && { outputSchema }),
      annotations: annotationsOf(id, embedsElsewhere),
    };
  });
}

function annotationsOf(id: ToolId, embedsElsewhere: boolean): ListedTool['annotations'] {
  if (id === 'skill-engine/execute') return executing;
  return { ...annotations, openWorldHint: embedsElsewhere && embedding.includes(id) };
}
