import type { Configuration } from '../../core/config/layers.ts';
import { commonSettings, settings } from '../../core/config/settings.ts';
import type { Environment } from '../../core/environment.ts';
import { memoized } from '../../core/maps.ts';
import {
  anything,
  choice,
  flag,
  type Infer,
  list,
  literal,
  map,
  number,
  object,
  optional,
  text,
} from '../../core/schema/schema.ts';
import { showHidden } from '../../core/text/hidden.ts';
import { cut, shellWord } from '../../core/text/text.ts';
import { createSlicer } from '../../core/time-slice.ts';
import { distinctName } from '../../registry/resolve.ts';
import { propertiesOf, requiredOf, typesOf } from '../../run/tools/parameters/schema-parts.ts';
import type { JsonSchema, SkillTool } from '../../run/tools/types.ts';
import { nearnessTo } from '../../search/embedders/nearness.ts';
import type { IndexedText } from '../../search/index/document.ts';
import { choosePassages } from '../../search/passage/choose.ts';
import { passageAround } from '../../search/passage/excerpt.ts';
import { explainWords, wordSchema } from '../../search/rank/explain.ts';
import { isWeak } from '../../search/rank/fuse.ts';
import { type Json, locationSchema, pluginSchema, type Skill } from '../../skill/types.ts';
import type { Engine } from '../engine.ts';
import type { Found } from './ask.ts';
import type { SearchAnswer } from './searcher.ts';
import { beginningOf, ifThere, ownToolsOf, textOf, toolMarkOf, toolTextOf } from './source.ts';
import type { Owned } from './tool-fit.ts';

const signals = object({ words: number(), meaning: number() });

const explanationSchema = object({
  // Shares of the score that the lexical and the semantic signal decide.
  shares: signals,
  words: list(wordSchema),
  tool: optional(
    object(
      { name: text(), ...signals.fields },
      'The tool that fits better than the skill itself, and gave it its score.',
    ),
  ),
});
export type Explanation = Infer<typeof explanationSchema>;

/** The tools of a skill that fit a query. */
const hitToolsSchema = object({
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

/** A skill that was found by words, by meaning, or by both. */
export const hitSchema = object({
  name: text('The name to load it by.'),
  description: text(),
  provider: text(),
  location: locationSchema,
  plugin: pluginSchema,
  path: text('Of its SKILL.md.'),
  score: number('From 0 to 1.'),
  weak: flag('No better than for an unrelated query.'),
  matchedBy: list(choice(['words', 'meaning'])),
  // Scores by words and by meaning; the first may pass 1 where a query has many words.
  scores: signals,
  passage: text('The part of the skill that fits best.'),
  copies: list(object({ name: text(), path: text() }), 'The same skill in other places.'),
  call: object({ name: literal('skill'), arguments: object({ name: text() }) }),
  ...hitToolsSchema.fields,
  explanation: optional(explanationSchema),
});
export type SearchHit = Infer<typeof hitSchema>;

/** Share of a score below which a signal did not find the skill. */
const tellingPart = 0.1;

/** Describes everything that was found. */
export async function hitsOf(
  answer: SearchAnswer,
  { environment, configuration }: Engine,
  explain: boolean,
): Promise<SearchHit[]> {
  const passageIn = passagesFor(answer);
  const slicer = createSlicer();
  const hits: SearchHit[] = [];
  for (const found of answer.found) {
    if (slicer.isDue) await slicer.pause();
    const hit = hitOf(answer, found);
    // The description says all there is to see of a hit by chance; its file is not even opened.
    const isChance = hit.weak && hit.scores.words < fewWords && !answer.tools.raised.has(found.document);
    const passage = isChance ? descriptionOf(found.skill) : await passageIn(found.skill, found.document);
    const tools = isChance ? { tools: [] } : await hitToolsOf(answer, found, hit.name, configuration);
    const text = explain ? await indexedText(answer, found.skill, environment) : null;
    const explanation = text === null ? {} : { explanation: explained(answer, found, text) };
    hits.push({ ...hit, passage, ...tools, ...explanation });
  }
  return hits;
}

function hitOf(
  { ranking, tools: { raised }, documentMap: { snapshot } }: SearchAnswer,
  found: Found,
): Omit<SearchHit, 'passage' | keyof HitTools> {
  const { skill, copies, document } = found;
  const [words, meaning] = [ranking.words[document] as number, Math.max(0, ranking.meaning[document] as number)];
  const score = ranking.scores[document] as number;
  const by = raised.get(document) ?? { words, meaning };
  const parts = { words: (1 - ranking.share) * by.words, meaning: ranking.share * by.meaning };
  const name = distinctName(snapshot, skill);
  return {
    name,
    description: showHidden(skill.description).text,
    provider: skill.provider,
    location: skill.location,
    plugin: skill.plugin,
    path: skill.file,
    score: shownScore(score),
    weak: isWeak(ranking, document),
    matchedBy: (['words', 'meaning'] as const).filter((half) => parts[half] > 0 && parts[half] >= tellingPart * score),
    scores: { words: rounded(words), meaning: rounded(meaning) },
    copies: copies.map((copy) => ({ name: distinctName(snapshot, copy), path: copy.file })),
    call: { name: 'skill', arguments: { name } },
  };
}

/** The indexed text of a skill, read anew. */
async function indexedText(
  { documentMap: { snapshot } }: SearchAnswer,
  skill: Skill,
  environment: Environment,
): Promise<IndexedText | null> {
  const text = ifThere(skill, textOf);
  if (text === null) return null;
  const hasTools = toolMarkOf(skill, snapshot.scan.folders) !== '';
  return { ...text, tools: hasTools ? toolTextOf(await ownToolsOf(skill, environment)) : '' };
}

function explained(
  { ranking, tools: { raised }, documentMap: { collection } }: SearchAnswer,
  { document }: Found,
  text: IndexedText,
): Explanation {
  const fit = raised.get(document);
  return {
    shares: { words: 1 - ranking.share, meaning: ranking.share },
    words: explainWords(collection, text, ranking.matches, ranking.whole),
    ...(fit !== undefined && {
      tool: { name: fit.tool.name, words: rounded(fit.words), meaning: rounded(fit.meaning) },
    }),
  };
}

/** A score as it is shown: 1 is the most, whatever a long query adds up to. */
export function shownScore(score: number): number {
  return rounded(Math.min(1, score));
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** Score by words below which it was the meaning that found the skill. */
const fewWords = 0.1;

/** Finds the part of a skill that fits best, for each skill of an answer. */
function passagesFor(answer: SearchAnswer): (skill: Skill, document: number) => Promise<string> {
  const chooser = choosePassages(answer.ranking.matches);
  return async (skill, document) => {
    const beginning = ifThere(skill, beginningOf);
    if (beginning === null) return descriptionOf(skill);
    const areWordsThere = (answer.ranking.words[document] as number) >= fewWords;
    const shown = areWordsThere ? chooser.byWords(beginning) : null;
    // Only if the first page, where most is found, does not hold it is the rest read.
    const rest = areWordsThere && shown === null ? ifThere(skill, textOf) : null;
    const found = shown ?? (rest === null ? null : chooser.byWords(rest));
    if (found !== null) return found;
    const near = await nearnessTo(answer.question.embedding, answer.embedder);
    return chooser.byMeaning(beginning, near ?? (async () => 0));
  };
}

/** The passage for a skill where the question says nothing about it. */
const descriptionOf = memoized(({ description }: Skill): string =>
  passageAround(showHidden(description).text, 0, 0, []),
);

type HitTools = Infer<typeof hitToolsSchema>;

const most = 3;
const descriptionLength = 160;

/** Finds the tools of a skill that fit a query. */
async function hitToolsOf(
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

interface ToolCall {
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
  for (const choice of choices.map(wordOf)) {
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
    (Array.isArray(value) ? value : [value]).flatMap((one) => ['--param', `${name}=${wordOf(one)}`]),
  );
  return ['repertoire', 'run', `${skill}:${tool}`, ...pairs, ...seenWith(configuration)].map(shellWord).join(' ');
}

function wordOf(value: Json): string {
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
