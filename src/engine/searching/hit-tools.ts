import type { Configuration } from '../../core/config/layers.ts';
import { anything, type Infer, list, literal, map, object, optional, text } from '../../core/schema/schema.ts';
import { cut } from '../../core/text/text.ts';
import { propertiesOf, requiredOf } from '../../run/tools/parameters/schema-parts.ts';
import type { SkillTool } from '../../run/tools/types.ts';
import type { Json } from '../../skill/types.ts';
import type { SearchAnswer } from './searcher.ts';
import { blanksFor, commandFor } from './tool-call.ts';
import type { Owned } from './tool-fit.ts';

/** The tools of a skill that fit a query. */
export const hitToolsSchema = object({
  tools: list(text(), 'Those of its tools that fit the query.'),
  bestTool: optional(
    object(
      {
        name: text(),
        description: text('On one line.'),
        optional: list(text(), 'The parameters that it can do without.'),
        command: text('What to type at a shell to run it. Values in angle brackets must be filled in.'),
      },
      'The first of them.',
    ),
  ),
  execute: optional(
    object({
      name: literal('skill-engine/execute'),
      arguments: object({
        skill_name: text(),
        tool_name: text(),
        parameters: map(anything<Json>(), 'Values in angle brackets must be filled in.'),
      }),
    }),
  ),
});
export type HitTools = Infer<typeof hitToolsSchema>;

const most = 3;
const descriptionLength = 160;

/** Finds the tools of a skill that fit a query. */
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
