import { basename } from 'node:path';
import { createBreath } from '../../kernel/breath.ts';
import { SkillError } from '../../kernel/errors.ts';
import { byText } from '../../kernel/text.ts';
import { excerptOf } from '../../search/excerpt.ts';
import { type Match, matchAll, type Searchable } from '../../search/match.ts';
import { tokensOf } from '../../search/tokens.ts';
import { bodyOf } from '../../skill/fences.ts';
import type { Json, Skill } from '../../skill/types.ts';
import type { Engine } from '../engine.ts';
import { readSkillFile } from '../load.ts';
import { defineOperation } from '../operation.ts';
import { type SkillSummary, summaryOf } from '../summary.ts';

export interface SearchHit extends SkillSummary {
  readonly fullName: string;
  readonly provider: string;
  readonly score: number;
  readonly excerpt: string;
}

export interface SearchOutput {
  readonly query: string;
  readonly limit: number;
  /** All hits, those beyond the limit too. */
  readonly total: number;
  readonly results: readonly SearchHit[];
}

const most = 25;

export const search = defineOperation({
  fields: {
    query: {
      kind: 'list',
      positional: true,
      required: true,
      value: 'WORDS',
      description: 'Words that must all occur in the name, the metadata or the text.',
    },
    limit: { kind: 'integer', min: 1, max: most, default: 10, value: 'N', description: 'Show at most this many.' },
  },
  async run(engine, { query, limit }): Promise<SearchOutput> {
    const asked = query.join(' ');
    const tokens = tokensOf(asked);
    if (tokens.length === 0) throw new SkillError('usage', 'the query is empty: name at least one word');
    if (!Number.isInteger(limit) || limit < 1 || limit > most) {
      throw new SkillError('usage', `limit must be a whole number from 1 to ${most}, not ${limit}`);
    }
    const { visible } = await engine.registry.snapshot();
    const hits: { skill: Skill; text: Searchable; match: Match }[] = [];
    const breath = createBreath();
    for (const skill of visible) {
      if (breath.isDue) await breath.take();
      const text = searchable(skill);
      const match = text === null ? null : matchAll(tokens, text);
      if (text !== null && match !== null) hits.push({ skill, text, match });
    }
    hits.sort(
      (a, b) =>
        b.match.score - a.match.score ||
        b.match.relevance - a.match.relevance ||
        byText(a.skill.fullName, b.skill.fullName) ||
        a.skill.rank - b.skill.rank,
    );
    const results = hits.slice(0, limit).map(({ skill, text, match }) => hitOf(engine, skill, text, match, tokens));
    return { query: asked, limit, total: hits.length, results };
  },
});

/** Read at the time of the query, so that what is found is what stands there now; null if it has just gone. */
function searchable(skill: Skill): Searchable | null {
  try {
    const body = bodyOf(readSkillFile(skill).toString('utf8'));
    const { name: _name, description: _description, ...others } = skill.frontmatter;
    return {
      names: `${basename(skill.dir)}\n${skill.fullName}`,
      description: skill.description,
      metadata: textsIn(others).join('\n'),
      body,
    };
  } catch (error) {
    if (error instanceof SkillError) return null;
    throw error;
  }
}

function textsIn(value: Json): string[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [String(value)];
  return Object.values(value).flatMap(textsIn);
}

function hitOf(engine: Engine, skill: Skill, text: Searchable, match: Match, tokens: readonly string[]): SearchHit {
  const parts = [text.description, text.body, text.metadata, text.names];
  const shown =
    parts.find((part) => matchAll(tokens, only(part)) !== null) ?? parts.find((part) => holdsAny(part, tokens));
  return {
    ...summaryOf(skill, engine.environment),
    fullName: skill.fullName,
    provider: skill.provider,
    score: match.score,
    excerpt: excerptOf(shown ?? text.description, tokens),
  };
}

function only(body: string): Searchable {
  return { names: '', description: '', metadata: '', body };
}

function holdsAny(part: string, tokens: readonly string[]): boolean {
  return tokens.some((token) => matchAll([token], only(part)) !== null);
}
