import type { Configuration } from '../../core/config/layers.ts';
import { commonSettings, settings } from '../../core/config/settings.ts';
import { anything, type Infer, list, literal, map, object, optional, text } from '../../core/schema/schema.ts';
import { cut, shellWord } from '../../core/text/text.ts';
import { propertiesOf, requiredOf, typesOf } from '../../run/tools/parameters/schema-parts.ts';
import type { JsonSchema, SkillTool } from '../../run/tools/types.ts';
import type { Json } from '../../skill/types.ts';
import type { SearchAnswer } from './searcher.ts';
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

export interface ToolCall {
  readonly skill: string;
  readonly tool: string;
  readonly parameters: Readonly<Record<string, Json>>;
}

/** Characters of choices that are shown before an ellipsis. */
const mostChoices = 60;

/** The parameters that must be given: the only value that can be meant, or a blank that says what is wanted. */
export function blanksFor(schema: JsonSchema): Record<string, Json> {
  const properties = propertiesOf(schema);
  return Object.fromEntries(requiredOf(schema).map((name) => [name, valueFor(properties[name] ?? {})]));
}

function valueFor(schema: JsonSchema): Json {
  const { default: usual, const: only, enum: choices } = schema;
  const listed = Array.isArray(choices) ? (choices as readonly Json[]) : [];
  const sure = usual ?? only ?? (listed.length === 1 ? listed[0] : undefined);
  if (sure !== undefined) return sure;
  if (listed.length > 0) return `<${firstOf(listed).join('|')}>`;
  const [type = 'value'] = typesOf(schema);
  return type === 'array' ? [valueFor((schema['items'] ?? {}) as JsonSchema)] : `<${type}>`;
}

function firstOf(choices: readonly Json[]): readonly string[] {
  const shown: string[] = [];
  let length = 0;
  for (const choice of choices.map(textOf)) {
    length += choice.length + 1;
    if (length > mostChoices) return [...shown, '…'];
    shown.push(choice);
  }
  return shown;
}

/**
 * The shell command for a call, with the options that say which skills are seen: without them, the name may mean
 * another skill, or none.
 */
export function commandFor({ skill, tool, parameters }: ToolCall, configuration: Configuration): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) => ['--param', `${name}=${textOf(one)}`]),
  );
  return ['repertoire', 'run', `${skill}:${tool}`, ...pairs, ...seenWith(configuration)].map(shellWord).join(' ');
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The options that were given to say which skills are seen. */
function seenWith({ values, origins }: Configuration): string[] {
  return commonSettings.flatMap((name) => {
    const { option, schema, switchTo } = settings[name];
    if (option === null || origins[name].from !== 'option') return [];
    const value = values[name];
    if (schema.kind === 'flag') return value === switchTo ? [`--${option}`] : [];
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [`--${option}`, String(one)]);
  });
}
