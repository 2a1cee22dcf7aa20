import { diagnosticSchema } from '../../../core/diagnostics.ts';
import type { Environment } from '../../../core/environment.ts';
import {
  anything,
  choice,
  flag,
  type Infer,
  list,
  map,
  named,
  nullable,
  object,
  optional,
  text,
} from '../../../core/schema/schema.ts';
import { createSlicer } from '../../../core/time-slice.ts';
import { readPolicy } from '../../../run/policy/operator.ts';
import { askedInWords, type FreePolicy } from '../../../run/policy/request.ts';
import { type JsonSchema, type Toolbox, toolSources } from '../../../run/tools/types.ts';
import type { Json, Skill } from '../../../skill/types.ts';
import { runtimeSchema } from '../../../skill/types.ts';
import type { Engine, Request } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';
import { toolboxNamed } from '../../running/target.ts';
import { toolboxFor } from '../../toolbox.ts';

export type { Json, JsonSchema };

const toolSchema = object({
  name: text(),
  description: text(),
  parameters: map(anything<Json>(), 'A JSON Schema of type object.'),
  output: choice(['text', 'json']),
  readOnly: flag('Whether it is read-only, according to its author.'),
  asksTo: list(text(), 'What it asks for beyond the default sandbox, in words.'),
});
export type ToolRecord = Infer<typeof toolSchema>;

export const skillToolsSchema = named(
  'SkillTools',
  object({
    skill: text('Its full name.'),
    runtime: runtimeSchema,
    source: choice(toolSources),
    version: nullable(text()),
    tools: list(toolSchema),
    instances: list(text()),
    problems: list(diagnosticSchema),
  }),
);
export type SkillTools = Infer<typeof skillToolsSchema>;

const output = object({ skills: list(skillToolsSchema) });
export type ToolsOutput = Infer<typeof output>;

export const tools = defineOperation({
  name: 'tools',
  right: 'see',
  effect: 'reads',
  input: { skill: optional(text('The skill whose tools to show; without one, those of all skills that have any.')) },
  skillIn: ({ skill }) => skill,
  output,
  async run(engine, { skill: name }, request): Promise<ToolsOutput> {
    if (name !== undefined) {
      const { skill, toolbox } = await toolboxNamed(engine, name, request);
      return { skills: [toolsOf(skill, toolbox, await readPolicy(engine.environment), engine.environment)] };
    }
    return { skills: await allTools(engine, request) };
  },
});

async function allTools(engine: Engine, { onProgress }: Request): Promise<SkillTools[]> {
  const { visible } = await engine.registry.snapshot();
  const policy = await readPolicy(engine.environment);
  let done = 0;
  const slicer = createSlicer(() => onProgress?.({ what: 'Reading tools', done, total: visible.length }));
  const found: SkillTools[] = [];
  for (const skill of visible) {
    const toolbox = await toolboxFor(engine.environment, skill);
    if (toolbox.tools.length > 0 || toolbox.problems.length > 0)
      found.push(toolsOf(skill, toolbox, policy, engine.environment));
    done++;
    if (slicer.isDue) await slicer.pause();
  }
  return found;
}

/** Describes the tools of a skill. */
export function toolsOf(skill: Skill, toolbox: Toolbox, policy: FreePolicy, environment: Environment): SkillTools {
  const { runtime, source, version, tools: all, instances, problems } = toolbox;
  return {
    skill: skill.fullName,
    runtime,
    source,
    version,
    tools: all.map(({ name, description, parameters, output, readOnly, capabilities }) => ({
      name,
      description,
      parameters,
      output,
      readOnly,
      asksTo: askedInWords(policy, capabilities, environment),
    })),
    instances: Object.keys(instances),
    problems,
  };
}
