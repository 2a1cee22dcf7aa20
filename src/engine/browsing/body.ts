import { type Diagnostic, diagnostic } from '../../kernel/diagnostics.ts';
import { reasonOf } from '../../kernel/errors.ts';
import { bodyOf, endsUnclosed, hasBothFields, splitFences } from '../../skill/fences.ts';
import { wholeCharacters } from '../../skill/mime.ts';
import type { Skill } from '../../skill/types.ts';
import { readSkillFile } from '../load.ts';

export interface Body {
  /** SKILL.md without its front matter. */
  readonly body: string;
  readonly truncated: boolean;
  /** Why there is none, if that is so. */
  readonly problems: readonly Diagnostic[];
}

const mostBytes = 1024 * 1024;

/** The text of a skill as it stands on disk now. */
export function readBody(skill: Skill): Body {
  try {
    return { ...shortened(textOf(readSkillFile(skill).toString('utf8'))), problems: [] };
  } catch (error) {
    const remedy = 'Check that it still exists and that you may read it.';
    return {
      body: '',
      truncated: false,
      problems: [diagnostic('file-unreadable', skill.file, reasonOf(error), remedy)],
    };
  }
}

/** Where the front matter is never closed, it ends where it was taken to end when the skill was found. */
function textOf(text: string): string {
  const split = splitFences(text);
  if (split.kind !== 'unclosed') return bodyOf(text);
  const lines = split.yaml.split('\n');
  const end = lines.findIndex(endsUnclosed);
  const isFrontMatter = end !== -1 && hasBothFields(lines.slice(0, end).join('\n'));
  return isFrontMatter ? lines.slice(end).join('\n') : text;
}

function shortened(text: string): Omit<Body, 'problems'> {
  const bytes = Buffer.from(text);
  if (bytes.length <= mostBytes) return { body: text, truncated: false };
  return { body: bytes.toString('utf8', 0, wholeCharacters(bytes, mostBytes)), truncated: true };
}
