import type { Environment } from '../../kernel/environment.ts';
import { createShortMatcher } from '../../search/rank/short.ts';
import type { Json, Skill } from '../../skill/types.ts';
import type { JsonSchema, SkillTool } from '../../tools/types.ts';
import { nearnessFor } from './passage.ts';
import type { SearchAnswer } from './searcher.ts';
import { toolMarkOf } from './tool-marks.ts';
import { toolTextOf } from './tool-text.ts';

/** The call of a tool that runs a tool of a skill. What stands in angle brackets is to be filled in. */
export interface ExecuteCall {
  readonly name: 'skill-engine/execute';
  readonly arguments: {
    readonly skill_name: string;
    readonly tool_name: string;
    readonly parameters: Readonly<Record<string, Json>>;
  };
}

export interface HitTools {
  /** Those of its tools that fit the query, best first. */
  readonly tools: readonly string[];
  /** The call of the best of them. */
  readonly execute?: ExecuteCall;
}

const most = 3;
/** By words alone a tool fits from here on, by its meaning alone from there. */
const least = { words: 0.1, meaning: 0.35 } as const;

/** Finds the tools of a skill that fit a query, for each skill of an answer. */
export function hitToolsFor(
  answer: SearchAnswer,
  environment: Environment,
): (skill: Skill, name: string) => Promise<HitTools> {
  const { folders } = answer.placement.snapshot.scan;
  const wordsIn = createShortMatcher(answer.ranking.matches, answer.ranking.whole);
  return async (skill, name) => {
    if (toolMarkOf(skill, folders) === '') return { tools: [] };
    const { toolboxFor } = await import('../toolbox.ts');
    const { tools } = await toolboxFor(environment, skill);
    const near = await nearnessFor(answer);
    const fitting: { tool: SkillTool; score: number }[] = [];
    for (const tool of tools) {
      const text = toolTextOf([tool]);
      const [words, meaning] = [wordsIn(text), await near(text.replace(/[-_\n]/g, ' '))];
      if (words >= least.words || meaning >= least.meaning) fitting.push({ tool, score: words + Math.max(0, meaning) });
    }
    const best = fitting.sort((a, b) => b.score - a.score).slice(0, most);
    const [first] = best;
    if (first === undefined) return { tools: [] };
    return { tools: best.map(({ tool }) => tool.name), execute: callOf(name, first.tool) };
  };
}

function callOf(skill: string, { name, parameters }: SkillTool): ExecuteCall {
  return {
    name: 'skill-engine/execute',
    arguments: { skill_name: skill, tool_name: name, parameters: blanksFor(parameters) },
  };
}

/** What must be given, each with a value that is allowed, or a blank that says what is wanted. */
function blanksFor({ properties, required }: JsonSchema): Record<string, Json> {
  const known = (properties ?? {}) as Readonly<Record<string, Readonly<Record<string, Json>>>>;
  const names = (required ?? []) as readonly string[];
  return Object.fromEntries(
    names.map((name) => {
      const { default: usual, enum: choices, type } = known[name] ?? {};
      const first = Array.isArray(choices) ? (choices[0] as Json) : undefined;
      return [name, usual ?? first ?? `<${typeof type === 'string' ? type : 'value'}>`];
    }),
  );
}
