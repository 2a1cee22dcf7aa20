import { isDeepStrictEqual } from 'node:util';
import { splitFences } from '../fences.ts';
import { type Head, headOf, textOf } from '../head.ts';
import { parseSkill } from '../parse.ts';
import { toolsOf } from '../rules/tools.ts';
import type { Json, ParsedSkill } from '../types.ts';
import { repairs } from './repairs.ts';
import type { Fixed } from './types.ts';

/** A text, and what was mended in it. */
export interface Fix {
  readonly text: string;
  /** Empty when the text is as it was. */
  readonly fixed: readonly Fixed[];
}

/**
 * Mends what can be mended without changing what a SKILL.md says. Each repair is proven before it is kept: loading
 * the new text must give the very skill that loading the old one gave, and the body must be the same.
 */
export function fixSkill(text: string): Fix {
  const skill = loaded(text);
  const head = skill === null ? null : headOf(text);
  if (skill === null || head === null) return { text, fixed: [] };
  const fixed: Fixed[] = [];
  let current: Head = head;
  for (const repair of repairs) {
    const repaired = repair(current);
    if (repaired === null || !saysTheSame(repaired.head, skill)) continue;
    current = repaired.head;
    fixed.push(...repaired.fixed);
  }
  return { text: textOf(current), fixed: fixed.sort((a, b) => a.line - b.line) };
}

/** Only well-formed text comes back from its bytes as it was: half a surrogate pair does not. */
function loaded(text: string): ParsedSkill | null {
  const bytes = Buffer.from(text);
  return bytes.toString() === text ? parseSkill(bytes, '', '').skill : null;
}

function saysTheSame(head: Head, before: ParsedSkill): boolean {
  const text = textOf(head);
  const fences = splitFences(text);
  if (fences.kind !== 'found' || fences.body !== head.body.replace(/\r\n?/g, '\n')) return false;
  const after = loaded(text);
  return after !== null && isDeepStrictEqual(meaningOf(after), meaningOf(before));
}

/** A skill without the two things that a repair may write differently: blanks around the name, and between tools. */
function meaningOf({ name, description, frontmatter }: ParsedSkill): unknown {
  const fields = Object.entries(frontmatter).map(([key, value]) => [key, plainValue(key, value)]);
  return [name, description, fields];
}

function plainValue(key: string, value: Json): Json {
  if (key === 'name' && typeof value === 'string') return value.trim();
  return key === 'allowed-tools' ? (toolsOf(value) ?? value) : value;
}
