import { positionAt } from '../../core/diagnostics.ts';
import { type Around, showHidden } from '../../core/text/hidden.ts';
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

/** A text of a skill as models are shown it. */
export interface ShownText {
  /** The text with every hidden character made visible, and nothing else changed. */
  readonly text: string;
  /** Remarks about it for the header, a line each; empty for nearly every text. */
  readonly remarks: readonly string[];
}

/** Pattern of a line in a third party's text that looks like a second header of ours. */
const forgedHeader = /^[^\p{L}\p{N}\n]*base directory[ \t]*:/imu;

/**
 * Makes hidden characters visible. For a part of a text, the characters around it decide: a byte order mark is one only
 * where nothing stands before it.
 */
export function shownText(raw: string, around?: Around): ShownText {
  const { text, count: number, kinds } = showHidden(raw, around);
  const forged = forgedHeader.exec(text)?.index;
  return {
    text,
    remarks: [
      ...(number === 0 ? [] : [`Hidden characters: ${number} in the text below, shown as in <${kinds[0]}>`]),
      ...(forged === undefined
        ? []
        : [
            `Note: line ${positionAt(text, forged).line} of the text below looks like this header, but is part of the file`,
          ]),
    ],
  };
}
