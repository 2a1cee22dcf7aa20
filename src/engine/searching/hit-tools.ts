import type { Configuration } from '../../config/load.ts';
import { cut } from '../../kernel/text.ts';
import type { Json } from '../../skill/types.ts';
import { propertiesOf, requiredOf } from '../../tools/schema-parts.ts';
import type { SkillTool } from '../../tools/types.ts';
import type { SearchAnswer } from './searcher.ts';
import { blanksFor, commandFor } from './tool-call.ts';
import type { Owned } from './tool-fit.ts';

/** The call of a tool that runs a tool of a skill. What stands in angle brackets is to be filled in. */
export interface ExecuteCall {
  readonly name: 'skill-engine/execute';
  readonly arguments: {
    readonly skill_name: string;
    readonly tool_name: string;
    readonly parameters: Readonly<Record<string, Json>>;
  };
}

/** The tool that a query means. */
export interface BestTool {
  readonly name: string;
  /** What it does, on one line. */
  readonly description: string;
  /** The parameters that it can do without. */
  readonly optional: readonly string[];
  /** What to type at a shell to run it. What stands in angle brackets is to be filled in. */
  readonly command: string;
}

export interface HitTools {
  /** Those of its tools that fit the query, best first. */
  readonly tools: readonly string[];
  readonly bestTool?: BestTool;
  /** The call of the best of them. */
  readonly execute?: ExecuteCall;
}

const most = 3;
const descriptionLength = 160;

/** The tools of a skill that fit a query. */
export async function hitToolsOf(
  { tools, ranking }: SearchAnswer,
  found: Owned,
  name: string,
  configuration: Configuration,
): Promise<HitTools> {
  const fitting = (await tools.of(ranking, found)).slice(0, most);
  const [best] = fitting;
  if (best === undefined) return { tools: [] };
  const { tool } = best;
  const parameters = blanksFor(tool.parameters);
  return {
    tools: fitting.map((one) => one.tool.name),
    bestTool: {
      name: tool.name,
      description: cut(tool.description, descriptionLength),
      optional: optionalOf(tool),
      command: commandFor({ skill: name, tool: tool.name, parameters }, configuration),
    },
    execute: { name: 'skill-engine/execute', arguments: { skill_name: name, tool_name: tool.name, parameters } },
  };
}

function optionalOf({ parameters }: SkillTool): readonly string[] {
  const required = requiredOf(parameters);
  return Object.keys(propertiesOf(parameters)).filter((name) => !required.includes(name));
}
