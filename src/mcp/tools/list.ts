import { annotations, definitions, type ToolDefinition, type ToolId } from './definitions.ts';
import { listedName, type ToolNaming } from './names.ts';

/** A tool as `tools/list` gives it. */
export interface ListedTool extends ToolDefinition {
  readonly name: string;
  readonly annotations: typeof annotations;
}

/** The description is that of `skill`; the others have their own. */
export function listTools(ids: readonly ToolId[], naming: ToolNaming, description: string): ListedTool[] {
  return ids.map((id) => {
    const definition: ToolDefinition = definitions[id];
    return {
      name: listedName(id, naming),
      ...definition,
      ...(id === 'skill' ? { description } : {}),
      annotations,
    };
  });
}
