import type { SearchOutput } from '../../engine/operations/search.ts';
import { always, anyOf, choice, count, flag, list, nullable, number, object, open, optional, text } from './build.ts';
import { location, pluginKey } from './shared.ts';

type Exact = Extract<SearchOutput, { readonly total: number }>;
type Found = Exclude<SearchOutput, Exact>;
type Hit = Found['results'][number];
type Explanation = NonNullable<Hit['explanation']>;
type Word = Explanation['words'][number];
type Execute = NonNullable<Hit['execute']>;
type BestTool = NonNullable<Hit['bestTool']>;

const halves = object<Hit['scores']>({ words: number(), meaning: number() });
const part = optional(number());

const word = object<Word>({
  written: text('As written in the query.'),
  word: text('Its stem.'),
  as: nullable(text(), 'The term of the skill that it matched.'),
  by: nullable(choice(['word', 'beginning', 'typo'])),
  rarity: number('The logarithm of how many skills there are for each that holds it.'),
  fields: object<Word['fields']>({ names: part, description: part, metadata: part, tools: part, body: part }),
});

const hit = object<Hit>({
  name: text('The name to load it by.'),
  description: text(),
  provider: text(),
  location,
  plugin: pluginKey,
  path: text('Of its SKILL.md.'),
  score: number('From 0 to 1.'),
  weak: flag('No better than for an unrelated query.'),
  matchedBy: list(choice(['words', 'meaning'])),
  scores: halves,
  passage: text('The part of the skill that fits best.'),
  copies: list(object<Hit['copies'][number]>({ name: text(), path: text() }), 'The same skill in other places.'),
  call: object<Hit['call']>({
    name: always('skill'),
    arguments: object<Hit['call']['arguments']>({ name: text() }),
  }),
  tools: list(text(), 'Those of its tools that fit the query.'),
  bestTool: optional(
    object<BestTool>(
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
    object<Execute>({
      name: always('skill-engine/execute'),
      arguments: object<Execute['arguments']>({
        skill_name: text(),
        tool_name: text(),
        parameters: open('Values in angle brackets must be filled in.'),
      }),
    }),
  ),
  explanation: optional(
    object<Explanation>({
      shares: halves,
      words: list(word),
      tool: optional(
        object<NonNullable<Explanation['tool']>>(
          { name: text(), words: number(), meaning: number() },
          'The tool that fits better than the skill itself, and gave it its score.',
        ),
      ),
    }),
  ),
});

const exactHit = object<Exact['results'][number]>({
  installName: text("The name of the skill's folder."),
  meta: object<Exact['results'][number]['meta']>({ name: text(), description: text() }),
  skillPath: text(),
  skillFile: text(),
  fullName: text(),
  provider: text(),
  score: number(),
  excerpt: text(),
});

export const search = anyOf(
  object<Found>({
    query: text(),
    limit: count(),
    results: list(hit),
    index: object<Found['index']>({
      ready: count('How many skills can be found so far.'),
      total: count('How many there are.'),
      added: count('How many were read to answer.'),
      isGrowing: optional(always(true)),
    }),
    notes: list(text()),
  }),
  object<Exact>(
    {
      query: text(),
      limit: count(),
      total: count('All hits, including those beyond the limit.'),
      results: list(exactHit),
    },
    'With `exact`.',
  ),
);
