import type { Json } from '../types.ts';

/**
 * The tools that an `allowed-tools` names, however they are separated: by blanks as the format has it, by commas, or
 * as a list. What stands in parentheses belongs to its tool, blanks and commas included. Null where none can be told.
 */
export function toolsOf(value: Json): readonly string[] | null {
  if (typeof value === 'string') return splitOutside(value, hasCommas(value) ? /,/ : /\s/);
  if (!Array.isArray(value)) return null;
  const items: readonly Json[] = value;
  return items.every((item) => typeof item === 'string') ? items.map((item) => item.trim()) : null;
}

/** Whether commas separate the tools. */
export function hasCommas(value: string): boolean {
  return (splitOutside(value, /,/)?.length ?? 0) > 1 || /,\s*$/.test(value);
}

/** The tools as the format wants them written; null where a blank in one of them would tear it apart. */
export function spaceSeparated(tools: readonly string[]): string | null {
  const isWhole = tools.every((tool) => splitOutside(tool, /[\s,]/)?.length === 1);
  return isWhole ? tools.join(' ') : null;
}

/** The parts between separators that are not in parentheses; null when the parentheses do not match. */
function splitOutside(text: string, separator: RegExp): string[] | null {
  const parts: string[] = [];
  let [part, depth] = ['', 0];
  for (const character of text) {
    if (character === '(') depth++;
    else if (character === ')' && --depth < 0) return null;
    if (depth === 0 && separator.test(character)) {
      parts.push(part);
      part = '';
    } else {
      part += character;
    }
  }
  return depth === 0 ? [...parts, part].map((one) => one.trim()).filter((one) => one !== '') : null;
}
