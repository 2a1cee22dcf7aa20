import { oneLine } from '../../core/text/text.ts';
import type { SkillFiles } from '../../skill/files.ts';
import type { Skill } from '../../skill/types.ts';

const shownFiles = 10;

/** Style of a header: everything that is known, or name and folder alone. */
export type HeaderStyle = 'full' | 'loading';

/** The lines that stand before a skill's text: what the skill is, where it is, and what else there is to read. */
export function headerOf(
  skill: Skill,
  { files, truncated }: SkillFiles,
  style: HeaderStyle = 'full',
  remarks: readonly string[] = [],
): string {
  const names = files.slice(0, shownFiles).map((file) => oneLine(file.path));
  const rest = files.length - names.length;
  const more = rest > 0 ? ` (+${rest} ${truncated ? 'or more' : 'more'})` : '';
  const first = [`Loading: ${skill.fullName}`, `Base directory: ${oneLine(skill.dir)}`];
  if (style === 'loading') return [...first, ...remarks].join('\n');
  return [
    ...first,
    `Path: ${oneLine(skill.file)}`,
    `Location: ${skill.location}`,
    `Provider: ${oneLine(skill.provider)}`,
    ...(skill.plugin === null ? [] : [`Plugin: ${oneLine(skill.plugin)}`]),
    ...(names.length === 0 ? [] : [`Files: ${names.join(', ')}${more}`]),
    ...remarks,
  ].join('\n');
}
