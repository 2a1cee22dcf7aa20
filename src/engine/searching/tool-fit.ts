import type { Environment } from '../../core/environment.ts';
import { getOrInsert, memoized } from '../../core/maps.ts';
import { propertiesOf } from '../../run/tools/parameters/schema-parts.ts';
import type { SkillTool } from '../../run/tools/types.ts';
import type { Embedder } from '../../search/embedders/embedder.ts';
import { nearnessTo } from '../../search/embedders/nearness.ts';
import {
  coverage,
  evidenceFor,
  isChance,
  meaningOf,
  type Question,
  type Ranking,
  scoreOf,
  termsIn,
} from '../../search/rank/fuse.ts';
import { best } from '../../search/rank/top.ts';
import { createLexicon } from '../../search/text/lexicon.ts';
import type { Skill } from '../../skill/types.ts';
import type { DocumentMap } from './document-map.ts';
import { toolMarkOf, toolTextOf } from './source.ts';

/** The fit of a skill's tool to a question. */
interface ToolFit {
  readonly tool: SkillTool;
  /** Share of the question that its name, description and parameters say, from 0 to 1. */
  readonly words: number;
  /** Nearness of its name and description to the question, from 0 to 1, measured as it is for skills. */
  readonly meaning: number;
  readonly score: number;
  /** Evidence for the skill by this tool, measured as it is for skills. */
  readonly evidence: number;
}

/** A skill and the document that stands for it. */
export interface Owned {
  readonly skill: Skill;
  readonly document: number;
}

/**
 * Compares the tools of skills with a question. A skill is as good as the better of itself and its best tool: one that
 * brings ten tools is about none of them as a whole, and would come after every skill that is about one thing.
 */
export interface ToolFits {
  /** The tools of a skill that fit, the best first. */
  of(ranking: Ranking, found: Owned): Promise<readonly ToolFit[]>;
  /** Raises the scores of skills to those of their tools; to be done again whenever scores are made anew. */
  raise(ranking: Ranking, documents: Iterable<number>): Promise<void>;
  /** The tools that have raised the score of a document. */
  readonly raised: ReadonlyMap<number, ToolFit>;
}

/** Score by words, or nearness of the embedding, from which a tool fits. */
const least = { words: 0.2, similarity: 0.4 } as const;
/** Share of a word that only a parameter says: such a tool has to do with it, but need not be about it. */
const parameterShare = 0.5;
/** Share of its similarity that counts as evidence: a text of a few words comes as near by one of them alone. */
const shortShare = 0.6;
/**
 * Number of skills whose tools are compared, by their scores and by their words: a word for one tool of many weighs
 * little in a score.
 */
const first = { byScore: 20, byWords: 10 } as const;
/**
 * Code units of a description that are compared: its first sentences say what it is about, and one that goes on would
 * fit every question.
 */
const mostUnits = 400;

/** The skills whose tools are worth comparing. */
export function firstIn({ scores, words }: Ranking): Set<number> {
  return new Set([...best(scores, first.byScore), ...best(words, first.byWords)]);
}

interface Asked {
  readonly documentMap: DocumentMap;
  readonly ranking: Ranking;
  readonly question: Question;
  readonly embedder: Promise<Embedder> | undefined;
}

export function createToolFits(asked: Asked, environment: Environment): ToolFits {
  const { documentMap } = asked;
  const fitting = new Map<Skill, Promise<readonly Compared[]>>();
  const raised = new Map<number, ToolFit>();

  /** Tells whether a skill has tools: most have none, and are asked about by the dozen. */
  const hasTools = (skill: Skill) => toolMarkOf(skill, documentMap.snapshot.scan.folders) !== '';

  async function of(ranking: Ranking, { skill, document }: Owned): Promise<readonly ToolFit[]> {
    if (!hasTools(skill)) return [];
    const compared = await getOrInsert(fitting, skill, () => compare(skill, asked, environment));
    const fits = compared.map((one) => fitOf(one, ranking, document));
    return fits.sort((a, b) => b.score - a.score);
  }

  return {
    of,
    raised,
    async raise(ranking, documents) {
      const { scores, evidence } = ranking;
      for (const document of documents) {
        const [skill] = documentMap.ownersOf(document);
        if (skill === undefined || !hasTools(skill)) continue;
        const [fit] = await of(ranking, { skill, document });
        raised.delete(document);
        if (fit === undefined || fit.score <= (scores[document] as number)) continue;
        // The first pass selects the tools that deserve a second one; only that tells whether a tool fits by chance.
        if (ranking.closer !== undefined && isChance(fit.evidence)) continue;
        scores[document] = fit.score;
        evidence[document] = Math.max(evidence[document] as number, fit.evidence);
        raised.set(document, fit);
      }
    },
  };
}

/** The signals that a tool has in common with a question. */
interface Compared {
  readonly tool: SkillTool;
  readonly words: number;
  /** Nearness of its text to the question as it was asked, and after feedback; null where that is unknown. */
  readonly near: { readonly similarity: number; readonly drawn: number } | null;
  readonly spoken: string;
}

/** Scores a tool as skills are. Words count as evidence on the scale of skills: a skill's include its tools'. */
function fitOf({ tool, words, near, spoken }: Compared, ranking: Ranking, document: number): ToolFit {
  const { closer } = ranking;
  const nearWords = closer?.nearWords([spoken]);
  // The embedding of a skill, which is made of its tools as well, has to do where they have none of their own.
  const meaning = meaningOf(near?.drawn ?? (ranking.meaning[document] as number), nearWords?.said);
  const score = scoreOf(words, meaning, ranking);
  if (closer === undefined || nearWords === undefined) return { tool, words, meaning, score, evidence: score };
  const similarity = shortShare * (near?.similarity ?? (ranking.similarity[document] as number));
  const signs = { words: ranking.words[document] as number, similarity, besides: nearWords.besides };
  return { tool, words, meaning, score, evidence: evidenceFor(ranking, closer, signs) };
}

/** Finds the tools of a skill that fit a question. */
async function compare(
  skill: Skill,
  { ranking, question, embedder }: Asked,
  environment: Environment,
): Promise<readonly Compared[]> {
  const tools = knownTools.get(skill) ?? (await readTools(skill, environment));
  const near = await nearnessTo(question.embedding, embedder);
  const nearDrawn = await nearnessTo(ranking.drawn, embedder);
  const fitting: Compared[] = [];
  for (const tool of tools) {
    const { own, parameters, spoken } = textsOf(tool);
    const said = (term: string) => (own.has(term) ? 1 : parameters.has(term) ? parameterShare : 0);
    const words = coverage(ranking, said);
    const similarity = (await near?.(spoken)) ?? 0;
    if (words < least.words && similarity < least.similarity) continue;
    const drawn = await nearDrawn?.(spoken);
    fitting.push({ tool, words, near: drawn === undefined ? null : { similarity, drawn }, spoken });
  }
  return fitting;
}

/**
 * Cache of tools by skill: every scan makes a skill anew, as it does its mark; between two scans its tools are not read
 * again.
 */
const knownTools = new WeakMap<Skill, readonly SkillTool[]>();

/** Reads the tools of a skill. A component is not asked for its tools: nothing of a skill is run by a search. */
async function readTools(skill: Skill, environment: Environment): Promise<readonly SkillTool[]> {
  const { toolboxOf } = await import('../../run/tools/toolbox.ts');
  const { tools } = await toolboxOf(skill, environment);
  knownTools.set(skill, tools);
  return tools;
}

interface ToolTexts {
  /** Terms of its name and description, and those of what its parameters are called and may be. */
  readonly own: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
  /** Name and description as one would say them. */
  readonly spoken: string;
}

/** Shared lexicon: one takes long to be made, and there may be hundreds of tools. */
let lexicon = createLexicon();
const mostTerms = 50_000;

const textsOf = memoized((tool: SkillTool): ToolTexts => {
  if (lexicon.size > mostTerms) lexicon = createLexicon();
  const text = toolTextOf([tool]).slice(0, mostUnits);
  const names = Object.entries(propertiesOf(tool.parameters)).flatMap(([name, { enum: choices }]) => [
    name,
    ...(Array.isArray(choices) ? choices.map(String) : []),
  ]);
  return {
    own: termsIn(text, lexicon),
    parameters: termsIn(names.join('\n').slice(0, mostUnits), lexicon),
    spoken: text.replace(/[-_\n]/g, ' '),
  };
});
