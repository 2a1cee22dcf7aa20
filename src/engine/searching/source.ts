import { basename } from 'node:path';
import { SkillError } from '../../kernel/errors.ts';
import type { SkillText } from '../../search/index/document.ts';
import { bodyOf, splitFences } from '../../skill/fences.ts';
import { limits } from '../../skill/limits.ts';
import { hasOwnName } from '../../skill/name.ts';
import type { Json, Skill } from '../../skill/types.ts';
import { readSkillBeginning, readSkillFile } from '../load.ts';

/** So much of a file is looked at for the part to be shown; in the same memory for every file. */
const shown = Buffer.alloc(12 * 1024);

/** What an index needs to know of a skill; plain data, so that it can be handed to another thread. */
export type SkillSource = Pick<
  Skill,
  'id' | 'file' | 'dir' | 'name' | 'fullName' | 'description' | 'digest' | 'frontmatter'
>;

export function sourceOf({ id, file, dir, name, fullName, description, digest, frontmatter }: Skill): SkillSource {
  return { id, file, dir, name, fullName, description, digest, frontmatter };
}

/** What a skill goes by, a line each: its folder's name, the name it is called by, and its own if that is another. */
export function namesOf(skill: Pick<Skill, 'dir' | 'name' | 'fullName'>): string {
  const names = `${basename(skill.dir)}\n${skill.fullName}`;
  return hasOwnName(skill) ? names : `${names}\n${skill.name}`;
}

/** All that is searched of a skill, its file read anew. Throws a `SkillError` if it has just gone. */
export function textOf(skill: SkillSource): SkillText {
  return textWith(skill, readSkillFile(skill));
}

/** The same, of the beginning of its file: enough to show a part of it. */
export function beginningOf(skill: SkillSource): SkillText {
  const bytes = readSkillBeginning(skill, shown);
  const text = textWith(skill, bytes);
  if (bytes.length < shown.length) return text;
  // The cut may lie inside a character.
  return { ...text, body: text.body.replace(/\ufffd+$/, '') };
}

/** What is read of a skill; null if its file has just gone. */
export function ifThere(skill: SkillSource, read: (skill: SkillSource) => SkillText): SkillText | null {
  try {
    return read(skill);
  } catch (error) {
    if (error instanceof SkillError) return null;
    throw error;
  }
}

/** The same, of a file that was read already. */
export function textWith(skill: SkillSource, bytes: Buffer): SkillText {
  const { name: _name, description: _description, ...others } = skill.frontmatter;
  return {
    names: namesOf(skill),
    description: skill.description,
    metadata: textsIn(others).join('\n'),
    body: searchedBody(bytes.toString('utf8')),
  };
}

/** To a search one blank is as good as another: but for the front matter, line ends need no care, and millions cost much. */
function searchedBody(text: string): string {
  const headLength = 2 * limits.frontmatterBytes;
  const head = splitFences(text.slice(0, headLength));
  return head.kind === 'found' ? head.body + text.slice(headLength) : bodyOf(text);
}

function textsIn(value: Json): string[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [String(value)];
  return Object.values(value).flatMap(textsIn);
}
