import { showHidden } from '../../core/text/hidden.ts';
import type { Embedder } from '../../search/embedders/embedder.ts';
import { choosePassages } from '../../search/passage/choose.ts';
import { passageAround } from '../../search/passage/excerpt.ts';
import type { Skill } from '../../skill/types.ts';
import type { SearchAnswer } from './searcher.ts';
import { beginningOf, ifThere, textOf } from './source.ts';

/** Score by words below which it was the meaning that found the skill. */
export const fewWords = 0.1;

/** Finds the part of a skill that fits best, for each skill of an answer. */
export function passagesFor(answer: SearchAnswer): (skill: Skill, document: number) => Promise<string> {
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
    const near = await nearnessTo(answer.question.direction, answer.embedder);
    return chooser.byMeaning(beginning, near ?? (async () => 0));
  };
}

/** The passage for a skill where the question says nothing about it. */
export function descriptionOf(skill: Skill): string {
  const shown = described.get(skill) ?? passageAround(showHidden(skill.description).text, 0, 0, []);
  described.set(skill, shown);
  return shown;
}
const described = new WeakMap<Skill, string>();

/** The nearness of a sentence to an embedding; null if unknown. A service is not asked about single sentences. */
export async function nearnessTo(
  direction: Float32Array | null,
  embedder: Promise<Embedder> | undefined,
): Promise<((sentence: string) => Promise<number>) | null> {
  const opened = direction === null ? undefined : await embedder;
  if (direction === null || opened === undefined || !opened.isNear) return null;
  return async (sentence) => product(direction, await directionOf(opened, sentence));
}

/**
 * Number of sentences whose embeddings are cached, the oldest forgotten first: the same few skills are found again and
 * again.
 */
const mostKept = 4096;
const kept = new Map<string, Float32Array>();

async function directionOf(near: Embedder, sentence: string): Promise<Float32Array> {
  const known = kept.get(sentence);
  if (known !== undefined) return known;
  const direction = await near.query(sentence);
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value as string);
  kept.set(sentence, direction);
  return direction;
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
